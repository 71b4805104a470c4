/** What every page of the customer's app says around its content, in English. */
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
  encrypted: "Your details and photos are encrypted."
}

export type FrameWords = typeof englishFrame
