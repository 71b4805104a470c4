/**
 * Mail to customers, in English: the frame of every mail, and the mails that ask for nothing. `steps.ts` words the mail that asks
 * for a step. A mail tells the first name and the registration and nothing else of the customer.
 */
import { englishPlural } from "../locale/plural.ts"

interface OfVehicle {
  readonly registration: string
}

interface OfCompany {
  readonly company: string
}

/** `until`: null where the day is not known. */
interface OfTime {
  readonly days: number
  readonly until: string | null
}

const within = ({ days, until }: OfTime): string =>
  `within ${englishPlural(days, { one: "one day", other: `${days} days` })}${until === null ? "" : ` (until ${until})`}`

export const englishMail = {
  greeting: ({ firstName }: { readonly firstName: string }) => `Hello ${firstName},`,
  openInstead: "If the button does not work, open this address in your browser:",
  linkNote: (time: OfTime) =>
    `The link works once, ${within(time)}. If it has ended, the page it opens can mail you a new one. It is meant for you alone: please do not pass it on.`,
  from: ({ company, registration }: OfCompany & OfVehicle) =>
    `This email comes from ${company}. You get it because ${company} guides you through the purchase of ${registration} and was given your address for it.`,
  fromFor: ({ company, registration, seller }: OfCompany & OfVehicle & { readonly seller: string }) =>
    `This email comes from ${company}, on behalf of the seller, ${seller}. You get it because ${company} guides you through the purchase of ${registration} and was given your address for it.`,
  reply: "If you have a question, reply to this email.",
  replyOrCall: ({ telephone }: { readonly telephone: string }) =>
    `If you have a question, reply to this email or call ${telephone}.`,
  reminder: {
    subject: ({ subject }: { readonly subject: string }) => `Reminder: ${subject}`,
    first:
      "We have asked you before and only want to be sure that our email was not missed. If you have done it in the meantime, there is nothing left to do.",
    /** True also where the window is too short for a reminder that its end is near. */
    second: ({ company, registration }: OfCompany & OfVehicle) =>
      `We have asked you before, and before this purchase of ${registration} ends we remind you once more at most. Once it has ended, only ${company} can begin it anew. If you have done it in the meantime, there is nothing left to do.`,
    last: ({ company, days, registration, until }: OfCompany & OfVehicle & OfTime) =>
      `Please do it ${within({ days, until })}: after that this purchase of ${registration} ends, and only ${company} can begin it anew.`
  },
  newLink: {
    subject: ({ subject }: { readonly subject: string }) => `New link: ${subject}`,
    replaces: "Here is a new link. If we have mailed you one for this step before, it no longer works."
  },
  welcome: {
    subject: ({ registration }: OfVehicle) => `Your purchase of ${registration}`,
    preview: "How it goes on. There is nothing to do yet.",
    guides: ({ company, registration }: OfCompany & OfVehicle) =>
      `${company} guides you through the purchase of ${registration}.`,
    guidesFor: ({ company, registration, seller }: OfCompany & OfVehicle & { readonly seller: string }) =>
      `${company} guides you through the purchase of ${registration} from ${seller}.`,
    how: "Whenever a step is yours you get an email with a link that opens it. There is no password to make up or to remember.",
    nothing: "With this email there is nothing to do."
  },
  financeApproved: {
    subject: ({ registration }: OfVehicle) => `Your finance for ${registration} is approved`,
    preview: "Good news about your purchase.",
    approved: ({ registration }: OfVehicle) => `Good news: the finance for ${registration} is approved.`,
    nothing: "There is nothing to do with this email: if a step is yours, you get an email of its own about it."
  },
  financeUpdated: {
    subject: ({ registration }: OfVehicle) => `News about your finance application for ${registration}`,
    preview: "There is news about your application.",
    news: ({ registration }: OfVehicle) => `There is news about your finance application for ${registration}.`,
    ask: ({ company }: OfCompany) => `${company} can tell you what it means for you and what happens next.`
  },
  handoverComplete: {
    subject: ({ registration }: OfVehicle) => `The handover of ${registration} is complete`,
    preview: "Nothing more is needed from you.",
    complete: ({ registration }: OfVehicle) =>
      `The handover of ${registration} is complete, and nothing more is needed from you.`,
    keep: "Keep this email: it is your receipt.",
    goodbye: "Drive safely."
  }
}

export type MailWords = typeof englishMail
