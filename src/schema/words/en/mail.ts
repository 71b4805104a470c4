/** Mail to customers, in English. A mail tells the first name and the registration and nothing else of the customer. */
import type { CustomerStep } from "../../journey/steps.ts"
import { englishPlural } from "../locale/plural.ts"

interface OfVehicle {
  readonly registration: string
}

interface OfCompany {
  readonly company: string
}

interface StepMail {
  readonly subject: (given: OfVehicle) => string
  /** What mail programs show beside the subject. */
  readonly preview: string
  readonly ask: ReadonlyArray<(given: OfVehicle) => string>
  readonly button: string
}

export const englishMail = {
  greeting: ({ firstName }: { readonly firstName: string }) => `Hello ${firstName},`,
  openInstead: "If the button does not work, open this address in your browser:",
  linkNote: ({ hours }: { readonly hours: number }) =>
    `The link works once, within ${englishPlural(hours, { one: "one hour", other: `${hours} hours` })}. If it has ended, the page it opens can mail you a new one. It is meant for you alone: please do not pass it on.`,
  from: ({ company, registration }: OfCompany & OfVehicle) =>
    `This mail comes from ${company}. You get it because ${company} guides you through the purchase of ${registration} and was given your address for it.`,
  fromFor: ({ company, registration, seller }: OfCompany & OfVehicle & { readonly seller: string }) =>
    `This mail comes from ${company}, on behalf of the seller, ${seller}. You get it because ${company} guides you through the purchase of ${registration} and was given your address for it.`,
  reply: "If you have a question, reply to this mail.",
  replyOrCall: ({ telephone }: { readonly telephone: string }) =>
    `If you have a question, reply to this mail or call ${telephone}.`,
  reminder: {
    subject: ({ subject }: { readonly subject: string }) => `Reminder: ${subject}`,
    askedBefore:
      "We have asked you before and only want to be sure that our mail was not missed. If you have done it in the meantime, there is nothing left to do.",
    last: ({ company, days, registration }: OfCompany & OfVehicle & { readonly days: number }) =>
      `Please do it within ${englishPlural(days, { one: "one day", other: `${days} days` })}: after that this purchase of ${registration} ends, and only ${company} can begin it anew.`
  },
  steps: {
    VERIFY_IDENTITY: {
      first: {
        subject: ({ registration }) => `Please verify your identity for ${registration}`,
        preview: "It takes a few minutes on your phone. Have your identity document at hand.",
        ask: [
          ({ registration }) => `The next step towards ${registration} is yours: please verify your identity.`,
          () =>
            "It takes a few minutes on your phone. Have your identity document at hand; you will be asked for a photo of it and of yourself."
        ],
        button: "Verify your identity"
      },
      again: {
        subject: ({ registration }) => `Please try again to verify your identity for ${registration}`,
        preview: "The last try did not succeed. Good light helps most.",
        ask: [
          ({ registration }) =>
            `Your identity could not be verified yet, so the purchase of ${registration} waits for you.`,
          () => "Please try once more. Good light helps, and the whole of your identity document must be in the photo."
        ],
        button: "Try again"
      }
    },
    CONFIRM_ADDRESS: {
      first: {
        subject: ({ registration }) => `Please confirm where ${registration} is to be delivered`,
        preview: "One question, one minute: which address shall it be?",
        ask: [
          ({ registration }) =>
            `The next step towards ${registration} is yours: please confirm the address it is to be brought to.`
        ],
        button: "Confirm the address"
      },
      again: {
        subject: ({ registration }) => `The delivery of ${registration} waits: please confirm the address again`,
        preview: "The delivery waits for your address.",
        ask: [
          ({ registration }) =>
            `The delivery of ${registration} still waits for you: please confirm the address it is to be brought to.`
        ],
        button: "Confirm the address"
      }
    },
    RECORD_VIDEO: {
      first: {
        subject: ({ registration }) => `Please record the handover video of ${registration}`,
        preview: "When you take your vehicle over: a short video of you with it.",
        ask: [
          ({ registration }) => `Your vehicle, ${registration}, is ready to be handed over to you.`,
          () =>
            "When you take it over, please record a short video of yourself with it. It confirms that it was you; your face must be seen clearly."
        ],
        button: "Record the video"
      },
      again: {
        subject: ({ registration }) => `Please record the handover video of ${registration} again`,
        preview: "We could not tell from the last one that it was you.",
        ask: [
          ({ registration }) =>
            `The handover video of ${registration} could not be used to confirm that it was you who took the vehicle over.`,
          () => "Please record it once more. Good light helps, and your face must be seen clearly."
        ],
        button: "Record it again"
      }
    }
  } satisfies Readonly<Record<CustomerStep, { readonly first: StepMail; readonly again: StepMail }>>,
  welcome: {
    subject: ({ registration }: OfVehicle) => `Your purchase of ${registration}`,
    preview: "How it goes on. There is nothing to do yet.",
    guides: ({ company, registration }: OfCompany & OfVehicle) =>
      `${company} guides you through the purchase of ${registration}.`,
    guidesFor: ({ company, registration, seller }: OfCompany & OfVehicle & { readonly seller: string }) =>
      `${company} guides you through the purchase of ${registration} from ${seller}.`,
    how: "Whenever a step is yours you get a mail with a link that opens it. There is no password to make up or to remember.",
    nothing: "With this mail there is nothing to do."
  },
  financeApproved: {
    subject: ({ registration }: OfVehicle) => `Your finance for ${registration} is approved`,
    preview: "Good news about your purchase.",
    approved: ({ registration }: OfVehicle) => `Good news: the finance for ${registration} is approved.`,
    nothing: "There is nothing to do with this mail: if a step is yours, you get a mail of its own about it."
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
    keep: "Keep this mail: it is your receipt.",
    goodbye: "Drive safely."
  }
}

export type MailWords = typeof englishMail
