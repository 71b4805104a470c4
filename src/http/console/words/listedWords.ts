/** The words of what lists of the console show: each status, type and mode of a journey, what it waits on, and each wallet. */
import type { WaitingOn } from "../../../schema/company/ListedJourney.ts"
import type { WalletName } from "../../../schema/company/Wallet.ts"
import type { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import { byNextAction, STEPS } from "../../../schema/journey/steps.ts"
import type { Mode } from "../../../schema/Mode.ts"

const statuses: Readonly<Record<JourneyStatus, string>> = {
  ACTIVE: "Active",
  COMPLETED: "Complete",
  CANCELLED: "Cancelled",
  EXPIRED: "Expired"
}

const types: Readonly<Record<JourneyType, string>> = {
  FINANCE_IDENTITY_DELIVERY: "Finance, identity and handover",
  IDENTITY_DELIVERY: "Identity and handover",
  DELIVERY: "Handover"
}

const modes: Readonly<Record<Mode, string>> = { LIVE: "Live", TEST: "Test" }

/** A mode within a sentence. */
const modesWithin: Readonly<Record<Mode, string>> = { LIVE: "live", TEST: "test" }

/** What a wallet pays for. */
const wallets: Readonly<Record<WalletName, string>> = { APPLICATION: "Applications", IDENTITY: "Identity checks" }

const waits: Readonly<Record<WaitingOn, string>> = {
  ...byNextAction((step) => `The customer ${STEPS[step].team.does}`),
  DEALER_TO_REVIEW: "Your team's review",
  IDENTITY_UNDER_REVIEW: "A review of the identity check",
  SEND_FINANCE_DECISION: "Your system sends the finance decision",
  AWAITING_LENDER_DECISION: "The lender decides",
  HANDOVER_BEING_CREATED: "The service sets the handover up",
  SERVICE: "The service is at work"
}

export const listedWords = { statuses, types, modes, modesWithin, wallets, waits } as const
