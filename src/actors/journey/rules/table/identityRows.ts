/**
 * The identity region. On a cash sale the same moves happen, and `projection.ts` shows them in `delivery.status`. Each ask
 * tells exactly one event (D1, D2): a check that an outside provider makes is started first, and the customer is asked when
 * the provider has answered with its page. A failed check lets the customer try again: a new mail, no new
 * identity.requested.
 */
import { isAssuranceEnough, isAssuranceTooLow } from "../state/assurance.ts"
import { isNotAgreed } from "../state/consent.ts"
import { cannotBeStarted, isAskedAtOnce, isPageAwaited, isStartedFirst } from "../state/identity.ts"
import type { IdentityRow } from "./row.ts"

const open = ["REQUESTED", "FAILED", "UNDER_REVIEW"] as const
const withCustomer = ["REQUESTED", "FAILED"] as const

/** The ask: what the customer and the caller hear of it. */
const askRows: ReadonlyArray<IdentityRow> = [
  { region: "identity", from: ["NOT_ASKED"], on: ["begin IDENTITY_DELIVERY"], after: ["ask for identity"] },
  {
    region: "identity",
    from: ["NOT_ASKED", "UNAVAILABLE"],
    on: ["ask for identity", "TeamResendsCheck"],
    when: [isAskedAtOnce],
    to: "REQUESTED",
    events: ["identity.requested"],
    mails: ["VERIFY_IDENTITY"]
  },
  {
    region: "identity",
    from: ["NOT_ASKED", "UNAVAILABLE"],
    on: ["ask for identity", "TeamResendsCheck"],
    when: [isStartedFirst],
    to: "BEING_STARTED",
    effects: ["START_IDENTITY_CHECK"]
  },
  {
    region: "identity",
    from: ["NOT_ASKED", "UNAVAILABLE"],
    on: ["ask for identity", "TeamResendsCheck"],
    when: [cannotBeStarted],
    to: "UNAVAILABLE",
    events: ["identity.unavailable"],
    mails: ["CHECK_UNAVAILABLE"]
  },
  {
    region: "identity",
    from: ["BEING_STARTED"],
    on: ["IdentityCheckStarted"],
    to: "REQUESTED",
    events: ["identity.requested"],
    mails: ["VERIFY_IDENTITY"],
    effectsOver: ["START_IDENTITY_CHECK"]
  },
  // A callback of the provider was faster than the provider's answer: the page has arrived, and nothing else is new.
  {
    region: "identity",
    from: open,
    on: ["IdentityCheckStarted"],
    when: [isPageAwaited],
    effectsOver: ["START_IDENTITY_CHECK"]
  },
  // The result that follows brings the mail: the customer is not mailed a link for a step that is over.
  {
    region: "identity",
    from: ["BEING_STARTED"],
    on: ["count as asked"],
    to: "REQUESTED",
    events: ["identity.requested"]
  },
  // Journeys of earlier versions were asked before the provider had started their check.
  {
    region: "identity",
    from: ["BEING_STARTED", ...withCustomer],
    on: ["IdentityUnavailable"],
    to: "UNAVAILABLE",
    events: ["identity.unavailable"],
    mails: ["CHECK_UNAVAILABLE"],
    effectsOver: ["START_IDENTITY_CHECK"]
  }
]

/** Results. The page of the provider stays wanted after a failure and a review: the customer may have to go there again. */
const resultRows: ReadonlyArray<IdentityRow> = [
  {
    region: "identity",
    from: withCustomer,
    on: ["IdentityVerified"],
    // The check has found nothing wrong, and has not looked at all that the company wants to be looked at (D8).
    when: [isAssuranceTooLow],
    to: "UNDER_REVIEW",
    events: ["identity.under_review"],
    mails: ["REVIEW_NEEDED"]
  },
  {
    region: "identity",
    from: open,
    on: ["IdentityVerified"],
    when: [isAssuranceEnough],
    to: "VERIFIED",
    events: ["identity.verified"],
    effectsOver: ["START_IDENTITY_CHECK"],
    after: ["gate opened"]
  },
  {
    region: "identity",
    from: withCustomer,
    on: ["IdentityUnderReview"],
    to: "UNDER_REVIEW",
    events: ["identity.under_review"],
    mails: ["REVIEW_NEEDED"]
  },
  {
    region: "identity",
    from: open,
    on: ["IdentityFailed"],
    to: "FAILED",
    events: ["identity.failed"],
    mails: ["VERIFY_IDENTITY"],
    again: true
  }
]

/** A result that comes before the provider's answer counts as asked first (D2). */
const earlyResultRows: ReadonlyArray<IdentityRow> = resultRows.map((row) => ({
  ...row,
  from: ["BEING_STARTED"],
  before: ["count as asked"]
}))

/** What the customer says to the comparison of faces (D7). */
const consentRows: ReadonlyArray<IdentityRow> = [
  // Agreeing moves nothing: the customer is asked for the same step, and may now take it.
  { region: "identity", from: withCustomer, on: ["ConsentGiven identity"], when: [isNotAgreed] },
  {
    region: "identity",
    from: withCustomer,
    on: ["ConsentRefused identity"],
    when: [isNotAgreed],
    to: "UNDER_REVIEW",
    events: ["identity.under_review"],
    mails: ["REVIEW_NEEDED"]
  },
  {
    region: "identity",
    from: withCustomer,
    on: ["identity to the team"],
    to: "UNDER_REVIEW",
    events: ["identity.under_review"],
    mails: ["REVIEW_NEEDED"]
  },
  // The review goes on without the photos, and for another reason.
  { region: "identity", from: ["UNDER_REVIEW"], on: ["identity to the team"], to: "UNDER_REVIEW" }
]

export const identityRows: ReadonlyArray<IdentityRow> = [...askRows, ...resultRows, ...earlyResultRows, ...consentRows]
