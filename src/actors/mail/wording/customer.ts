/**
 * Mail to customers in words, in the name of the company they deal with. The customer's first name and the vehicle's
 * registration are all it tells of anybody (decision M6); what the step is about is shown where the link leads.
 */
import { Duration } from "effect"
import type { CustomerMailKind } from "../../../schema/mail/mailKinds.ts"
import type { CustomerStep } from "../../../schema/journey/steps.ts"
import { linkLifetime } from "../../customer/SignInLinks.ts"
import { counted, oneLine, type Letter } from "./Email.ts"

/** Mail without a link: it tells and asks for nothing. */
export type NewsKind = Exclude<CustomerMailKind, CustomerStep>

export interface Addressee {
  readonly firstName: string
  readonly registration: string
  /** The company whose journey it is. */
  readonly company: string
  /** The selling company, when the caller named another (decision M5). */
  readonly seller: string | null
}

/** `again`: the customer has tried this step before. */
export const stepLetter = (step: CustomerStep, again: boolean, to: Addressee, url: string): Letter => {
  const addressee = printed(to)
  const { ask, subject, words } = asking(step, again, addressee)
  return signed(addressee, subject, [
    ...ask,
    { words, url },
    `The link works once, within ${counted(Duration.toHours(linkLifetime), "hour")}. If it has ended, the page it opens can mail you a new one. It is meant for you alone: please do not pass it on.`
  ])
}

export const newsLetter = (kind: NewsKind, to: Addressee): Letter => {
  const addressee = printed(to)
  const { subject, tell } = news(kind, addressee)
  return signed(addressee, subject, tell)
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
  paragraphs: Letter["paragraphs"]
): Letter => ({
  subject,
  paragraphs: [
    `Hello ${firstName},`,
    ...paragraphs,
    seller === null
      ? `This mail comes from ${company}. If you have a question, reply to it.`
      : `This mail comes from ${company}, on behalf of the seller, ${seller}. If you have a question, reply to it.`
  ]
})

interface Asking {
  readonly subject: string
  readonly ask: ReadonlyArray<string>
  /** What the link does. */
  readonly words: string
}

const asking = (step: CustomerStep, again: boolean, { registration }: Addressee): Asking => {
  switch (step) {
    case "VERIFY_IDENTITY":
      return again
        ? {
            subject: `Please try again to verify your identity for ${registration}`,
            ask: [
              `Your identity could not be verified yet, so the purchase of ${registration} waits for you.`,
              "Please try once more. Good light helps, and the whole of your identity document must be in the picture."
            ],
            words: "Try again:"
          }
        : {
            subject: `Please verify your identity for ${registration}`,
            ask: [
              `The next step towards ${registration} is yours: please verify your identity.`,
              "It takes a few minutes on your phone. Have your identity document at hand; you will be asked for a picture of it and of yourself."
            ],
            words: "Verify your identity:"
          }
    case "CONFIRM_ADDRESS":
      return {
        subject: again
          ? `Reminder: please confirm where ${registration} is to be delivered`
          : `Please confirm where ${registration} is to be delivered`,
        ask: [
          again
            ? `The delivery of ${registration} still waits for you: please confirm the address it is to be brought to.`
            : `The next step towards ${registration} is yours: please confirm the address it is to be brought to.`
        ],
        words: "Confirm the address:"
      }
    case "RECORD_VIDEO":
      return again
        ? {
            subject: `Please record the handover video of ${registration} again`,
            ask: [
              `The handover video of ${registration} could not be used to confirm that it was you who took the vehicle over.`,
              "Please record it once more. Good light helps, and your face must be seen clearly."
            ],
            words: "Record it again:"
          }
        : {
            subject: `Please record the handover video of ${registration}`,
            ask: [
              `Your vehicle, ${registration}, is ready to be handed over to you.`,
              "When you take it over, please record a short video of yourself with it. It confirms that it was you; your face must be seen clearly."
            ],
            words: "Record the video:"
          }
  }
}

const news = (
  kind: NewsKind,
  { company, registration, seller }: Addressee
): { readonly subject: string; readonly tell: ReadonlyArray<string> } => {
  switch (kind) {
    case "WELCOME":
      return {
        subject: `Your purchase of ${registration}`,
        tell: [
          `${company} guides you through the purchase of ${registration}${seller === null ? "" : ` from ${seller}`}.`,
          "Whenever a step is yours you get a mail with a link that opens it. There is no password to make up or to remember.",
          "With this mail there is nothing to do."
        ]
      }
    case "FINANCE_APPROVED":
      return {
        subject: `Your finance for ${registration} is approved`,
        tell: [`Good news: the finance for ${registration} is approved.`, nothingToDo]
      }
    case "FINANCE_UPDATED":
      // Neutral (decision M1): what the lender said is the company's to explain.
      return {
        subject: `News about your finance application for ${registration}`,
        tell: [
          `There is news about your finance application for ${registration}.`,
          `${company} can tell you what it means for you and what happens next.`
        ]
      }
    case "HANDOVER_COMPLETE":
      return {
        subject: `The handover of ${registration} is complete`,
        tell: [`The handover of ${registration} is complete, and nothing more is needed from you.`, "Drive safely."]
      }
  }
}

const nothingToDo = "There is nothing to do with this mail: if a step is yours, you get a mail of its own about it."
