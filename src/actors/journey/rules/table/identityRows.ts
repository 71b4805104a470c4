/**
 * The identity region. On a cash sale the same moves happen, and `projection.ts` shows them in `delivery.status`. Each ask
 * tells exactly one event (D1, D2). A failed check lets the customer try again: a new mail, no new identity.requested.
 */
import { canBeStarted, cannotBeStarted } from "../identity.ts"
import type { IdentityRow } from "./row.ts"

const open = ["REQUESTED", "FAILED", "UNDER_REVIEW"] as const
const withCustomer = ["REQUESTED", "FAILED"] as const

export const identityRows: ReadonlyArray<IdentityRow> = [
  { region: "identity", from: ["NOT_ASKED"], on: ["begin IDENTITY_DELIVERY"], after: ["ask for identity"] },
  {
    region: "identity",
    from: ["NOT_ASKED", "UNAVAILABLE"],
    on: ["ask for identity", "TeamResendsCheck"],
    when: [canBeStarted],
    to: "REQUESTED",
    events: ["identity.requested"],
    mails: ["VERIFY_IDENTITY"],
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
    from: withCustomer,
    on: ["IdentityUnavailable"],
    to: "UNAVAILABLE",
    events: ["identity.unavailable"],
    mails: ["CHECK_UNAVAILABLE"],
    effectsOver: ["START_IDENTITY_CHECK"]
  },
  {
    region: "identity",
    from: open,
    on: ["IdentityVerified"],
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
    mails: ["REVIEW_NEEDED"],
    effectsOver: ["START_IDENTITY_CHECK"]
  },
  {
    region: "identity",
    from: open,
    on: ["IdentityFailed"],
    to: "FAILED",
    events: ["identity.failed"],
    mails: ["VERIFY_IDENTITY"],
    again: true,
    effectsOver: ["START_IDENTITY_CHECK"]
  }
]
