/** What every page of the customer's app says around its content, in English. */
import { englishPlural } from "../locale/plural.ts"

export const englishFrame = {
  skip: "Skip to the content",
  language: "Language",
  testMark: "TEST",
  testNote: "This is a simulated purchase. Nothing here is real.",
  problemTitle: ({ heading }: { readonly heading: string }) => `Problem: ${heading}`,
  backToJourney: "Back to your purchase",
  tryAgain: "Try again",
  seeJourney: "See where your purchase stands",
  signOut: "Sign out",
  session: {
    soon: ({ minutes }: { readonly minutes: number }) =>
      `For your safety you will be signed out in less than ${englishPlural(minutes, { one: "a minute", other: `${minutes} minutes` })}.`,
    stay: "Stay signed in",
    stays: "You stay signed in.",
    last: ({ minutes }: { readonly minutes: number }) =>
      `You signed in many hours ago, so you will be signed out in less than ${englishPlural(minutes, { one: "a minute", other: `${minutes} minutes` })}. Please finish what you have begun.`,
    over: "You have been signed out.",
    signInAgain: "See how to sign in again",
    another:
      "You have signed in again since this page was opened. Copy what you have typed here, then load the page again.",
    loadAgain: "Load this page again"
  },
  encrypted: "Your details and photos are encrypted."
}

export type FrameWords = typeof englishFrame
