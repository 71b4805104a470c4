/**
 * The words of mail to customers, in the name of the company that they deal with. A mail tells the customer's first name
 * and the vehicle's registration and no other personal data (decision M6); the page behind the link shows what a step is
 * about. When a mail is sent, and where its link leads, is decided elsewhere.
 */
import { Duration } from "effect"
import type { CustomerStep } from "../../../schema/journey/steps.ts"
import type { CustomerMailKind } from "../../../schema/mail/mailKinds.ts"
import { customerLimits } from "../../customer/limits.ts"
import { counted, oneLine, type Email } from "./Email.ts"

/** Mail without a link: it tells the customer something and asks for nothing. */
export type NewsKind = Exclude<CustomerMailKind, CustomerStep>

export interface Addressee {
  readonly firstName: string
  readonly registration: string
  /** The company whose journey it is. */
  readonly company: string
  /** The selling company, when the caller named another company (decision M5). */
  readonly seller: string | null
}

/** `again`: the customer has tried this step before. */
export const stepEmail = (step: CustomerStep, again: boolean, to: Addressee, url: string): Email => {
  const addressee = printed(to)
  const { ask, subject, words } = requests[step][again ? "again" : "first"](addressee.registration)
  return signed(addressee, subject, [
    ...ask,
    { words, url },
    `The link works once, within ${counted(Duration.toHours(customerLimits.linkLifetime), "hour")}. If it has ended, the page it opens can mail you a new one. It is meant for you alone: please do not pass it on.`
  ])
}

export const newsEmail = (kind: NewsKind, to: Addressee): Email => {
  const addressee = printed(to)
  const { subject, paragraphs } = news[kind](addressee)
  return signed(addressee, subject, paragraphs)
}

const printed = ({ company, firstName, registration, seller }: Addressee): Addressee => ({
  firstName: oneLine(firstName),
  registration: oneLine(registration),
  company: oneLine(company),
  seller: seller === null || oneLine(seller) === oneLine(company) ? null : oneLine(seller)
})

const signed = (
  { company, firstName, seller }: Addressee,
  subject: string,
  paragraphs: Email["paragraphs"]
): Email => ({
  subject,
  paragraphs: [
    `Hello ${firstName},`,
    ...paragraphs,
    seller === null
      ? `This mail comes from ${company}. If you have a question, reply to it.`
      : `This mail comes from ${company}, on behalf of the seller, ${seller}. If you have a question, reply to it.`
  ]
})

interface Request {
  readonly subject: string
  readonly ask: ReadonlyArray<string>
  /** What the link does. */
  readonly words: string
}

type Worded = (registration: string) => Request

/** One entry for each step: the first mail that asks for it, and the mail after the customer has tried it. */
const requests: Readonly<Record<CustomerStep, { readonly first: Worded; readonly again: Worded }>> = {
  VERIFY_IDENTITY: {
    first: (registration) => ({
      subject: `Please verify your identity for ${registration}`,
      ask: [
        `The next step towards ${registration} is yours: please verify your identity.`,
        "It takes a few minutes on your phone. Have your identity document at hand; you will be asked for a picture of it and of yourself."
      ],
      words: "Verify your identity:"
    }),
    again: (registration) => ({
      subject: `Please try again to verify your identity for ${registration}`,
      ask: [
        `Your identity could not be verified yet, so the purchase of ${registration} waits for you.`,
        "Please try once more. Good light helps, and the whole of your identity document must be in the picture."
      ],
      words: "Try again:"
    })
  },
  CONFIRM_ADDRESS: {
    first: (registration) => ({
      subject: `Please confirm where ${registration} is to be delivered`,
      ask: [`The next step towards ${registration} is yours: please confirm the address it is to be brought to.`],
      words: "Confirm the address:"
    }),
    again: (registration) => ({
      subject: `Reminder: please confirm where ${registration} is to be delivered`,
      ask: [`The delivery of ${registration} still waits for you: please confirm the address it is to be brought to.`],
      words: "Confirm the address:"
    })
  },
  RECORD_VIDEO: {
    first: (registration) => ({
      subject: `Please record the handover video of ${registration}`,
      ask: [
        `Your vehicle, ${registration}, is ready to be handed over to you.`,
        "When you take it over, please record a short video of yourself with it. It confirms that it was you; your face must be seen clearly."
      ],
      words: "Record the video:"
    }),
    again: (registration) => ({
      subject: `Please record the handover video of ${registration} again`,
      ask: [
        `The handover video of ${registration} could not be used to confirm that it was you who took the vehicle over.`,
        "Please record it once more. Good light helps, and your face must be seen clearly."
      ],
      words: "Record it again:"
    })
  }
}

interface News {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
}

const news: Readonly<Record<NewsKind, (to: Addressee) => News>> = {
  WELCOME: ({ company, registration, seller }) => ({
    subject: `Your purchase of ${registration}`,
    paragraphs: [
      `${company} guides you through the purchase of ${registration}${seller === null ? "" : ` from ${seller}`}.`,
      "Whenever a step is yours you get a mail with a link that opens it. There is no password to make up or to remember.",
      "With this mail there is nothing to do."
    ]
  }),
  FINANCE_APPROVED: ({ registration }) => ({
    subject: `Your finance for ${registration} is approved`,
    paragraphs: [
      `Good news: the finance for ${registration} is approved.`,
      "There is nothing to do with this mail: if a step is yours, you get a mail of its own about it."
    ]
  }),
  // The mail is neutral (decision M1): the company explains what the lender said.
  FINANCE_UPDATED: ({ company, registration }) => ({
    subject: `News about your finance application for ${registration}`,
    paragraphs: [
      `There is news about your finance application for ${registration}.`,
      `${company} can tell you what it means for you and what happens next.`
    ]
  }),
  HANDOVER_COMPLETE: ({ registration }) => ({
    subject: `The handover of ${registration} is complete`,
    paragraphs: [`The handover of ${registration} is complete, and nothing more is needed from you.`, "Drive safely."]
  })
}
