/**
 * The words of mail to a company's team about a journey: what happened and what to do, with a button to the page of the
 * console where it is done. A mail, and its link, names the journey by its ids and holds nothing about the customer.
 */
import type { JourneyId } from "../../../schema/ids.ts"
import type { CheckReason, SubmissionFailure, UnavailableReason } from "../../../schema/journey/statuses.ts"
import type { CustomerMailKind, TeamMailKind } from "../../../schema/mail/mailKinds.ts"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { consoleButton, consolePages, type ConsolePlace } from "./consoleLink.ts"
import { type Email, type Paragraph } from "./Email.ts"
import { unlinked, unlinkedIfLink } from "./unlinked.ts"

/** What a mail is about. `baseUrl`: null leaves out the button. `reviewId`: null when no review of the journey is open. */
export interface TeamContext {
  readonly journey: Journey
  /** Whose journey it is: a member may belong to several companies. */
  readonly companyName: string
  readonly reviewId: string | null
  readonly baseUrl: string | null
}

export const teamEmail = (kind: TeamMailKind, context: TeamContext): Email =>
  withCompany(emails[kind](context), context.companyName)

/** The company stands below what happened and what to do, and above the button. */
const withCompany = ({ paragraphs, ...email }: Email, companyName: string): Email => {
  const words = paragraphs.filter((one) => typeof one === "string")
  const buttons = paragraphs.filter((one) => typeof one !== "string")
  return { ...email, paragraphs: [...words, `The journey is one of ${unlinked(companyName)}.`, ...buttons] }
}

const emails: Readonly<Record<TeamMailKind, (context: TeamContext) => Email>> = {
  REVIEW_NEEDED: ({ baseUrl, journey, reviewId }) => {
    const isVideo = journey.handover?.status === "UNDER_REVIEW"
    const what = isVideo ? "handover video" : "identity check"
    const wantsNone = (isVideo ? journey.handover?.reasons : reasonsOfIdentity(journey))?.some((reason) =>
      noComparison.has(reason)
    )
    return {
      subject: `${isVideo ? "A" : "An"} ${what} needs your review`,
      paragraphs: [
        wantsNone === true
          ? `The customer of ${named(journey)} does not want faces to be compared, so that the ${what} is yours. Until somebody decides it, the customer waits.`
          : `The ${what} of ${named(journey)} has no clear result. A person must look at it; until then the customer waits.`,
        "Look at it in the console, under Reviews, and approve or reject it with your reason. The first decision stands.",
        ...button(baseUrl, "Open the review", consolePages.review(reviewId))
      ]
    }
  },
  CHECK_UNAVAILABLE: ({ baseUrl, journey }) => ({
    subject: "An identity check could not be started",
    paragraphs: [
      `The identity check of ${named(journey)} could not be started: ${unavailableBecause(journey)}`,
      "The journey stays open. When the cause is gone, resend the check on the journey's page of the console.",
      ...toJourney(baseUrl, journey.id)
    ]
  }),
  SUBMISSION_FAILED: ({ baseUrl, journey }) => ({
    subject: "A finance application could not be submitted",
    paragraphs: [
      `The finance application of ${named(journey)} could not be submitted: ${failedBecause(journey)}`,
      "The journey is cancelled. To try again, start a new one.",
      ...toJourney(baseUrl, journey.id)
    ]
  })
}

/** Decision M7: the journey stays open, and the team must know that its customer hears nothing. */
export const undeliveredEmail = (
  mail: CustomerMailKind,
  { baseUrl, companyName, journey }: Omit<TeamContext, "reviewId">
): Email =>
  withCompany(
    {
      subject: "A mail did not reach a customer",
      paragraphs: [
        `A mail to the customer of ${named(journey)} was refused, could not be handed over for days, or was not sent because the address was corrected after the backup that the service was restored from. It is not tried again. It was the mail ${undelivered[mail]} (${mail}).`,
        "The journey goes on, but its customer may not know what is asked of them. If the address on file is wrong, correct the customer's data on the journey's page of the console: the link is then mailed to the right one.",
        "If the address is right, have the link mailed again on the journey's page of the console.",
        ...toJourney(baseUrl, journey.id)
      ]
    },
    companyName
  )

/** What a mail to a customer is for. */
const undelivered: Readonly<Record<CustomerMailKind, string>> = {
  WELCOME: "that welcomes the customer",
  VERIFY_IDENTITY: "that asks for the identity check",
  CONFIRM_ADDRESS: "that asks for the delivery address",
  RECORD_VIDEO: "that asks for the handover video",
  FINANCE_APPROVED: "that says that finance is approved",
  FINANCE_UPDATED: "that says that there is news about the finance application",
  HANDOVER_COMPLETE: "that says that the handover is complete"
}

/** The customer has said no to the comparison of faces: nothing was looked at. */
const noComparison: ReadonlySet<string> = new Set<CheckReason>(["CONSENT_REFUSED", "CONSENT_WITHDRAWN"])

const reasonsOfIdentity = ({ identity }: Journey) =>
  identity?.status === "UNDER_REVIEW" ? identity.reasons : undefined

const button = (baseUrl: string | null, words: string, place: ConsolePlace): ReadonlyArray<Paragraph> =>
  baseUrl === null ? [] : [consoleButton(baseUrl, words, place)]

const toJourney = (baseUrl: string | null, id: JourneyId): ReadonlyArray<Paragraph> =>
  button(baseUrl, "Open the journey", consolePages.journey(id))

const named = ({ externalReference, id }: Journey): string =>
  externalReference === null ? `journey ${id}` : `journey ${id} (your reference: ${unlinkedIfLink(externalReference)})`

const unavailableBecause = ({ identity }: Journey): string =>
  identity?.status === "UNAVAILABLE" ? `${unavailable[identity.reason]} (${identity.reason}).` : "it did not begin."

const unavailable: Readonly<Record<UnavailableReason, string>> = {
  EKYC_NOT_CONFIGURED: "identity verification is not set up for the company",
  PROVIDER_ERROR: "the identity provider did not take it, however often it was asked"
}

const failedBecause = ({ finance }: Journey): string =>
  finance?.status === "SUBMISSION_FAILED" ? `${failed[finance.reason]} (${finance.reason}).` : "it was not taken."

const failed: Readonly<Record<SubmissionFailure, string>> = {
  PANEL_NOT_CONFIGURED: "the company has no finance panel any more",
  PANEL_ERROR: "the panel refused it, or could not be reached",
  SUBMISSION_ERROR: "it could not be put into the panel's form"
}
