/** Pages that only say something: a link has ended, sign in first, a form was not ours. In English. */
import { englishPlural } from "../locale/plural.ts"

export const englishNotices = {
  linkEnded: {
    heading: "This link has ended",
    once: ({ days }: { readonly days: number }) =>
      `Each link signs you in once and lasts ${englishPlural(days, { one: "one day", other: `${days} days` })}. A newer mail also replaces the links before it.`,
    offer: "We can mail you a new one. It goes to the email address we have on file.",
    button: "Mail me a new link"
  },
  newLink: {
    heading: "Check your email",
    sent: "If there is something for you to do, a new link is on its way to the email address we have on file. It can take a few minutes.",
    nothing:
      "Nothing there? Look in your junk folder first. A few new links can be mailed in an hour; after that, wait a while and try again."
  },
  closed: {
    heading: "This journey is closed"
  },
  signInFirst: {
    heading: "Please open the link in your email",
    away: ({ minutes }: { readonly minutes: number }) =>
      `You are not signed in, were away for more than ${englishPlural(minutes, { one: "a minute", other: `${minutes} minutes` })}, or have opened a newer link, perhaps on another device. The newest email we sent you has a link that brings you back.`,
    used: "Has that link been used already? Open it all the same: the page has a button that mails you a new one."
  },
  /** The browser still has the session, so its company is named. The offer and the button are those of a link that has ended. */
  runOut: {
    heading: "You have been signed out",
    away: ({ hours, minutes }: { readonly hours: number; readonly minutes: number }) =>
      `You were away for more than ${englishPlural(minutes, { one: "a minute", other: `${minutes} minutes` })}, or signed in more than ${englishPlural(hours, { one: "an hour", other: `${hours} hours` })} ago. So that nobody else can go on in your place, please sign in again with a new link.`
  },
  signedOut: {
    heading: "You are signed out",
    back: "To come back, open the link in your email."
  },
  forged: {
    heading: "That page was out of date",
    unchanged:
      "Nothing was changed. Go back, reload the page and try again. If it happens again, allow cookies for this site."
  }
}

export type NoticeWords = typeof englishNotices
