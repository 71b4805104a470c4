/**
 * What a journey's checks cost its company (B1): the start holds a credit for each check, the ask charges the credit once,
 * however often the ask is repeated, and the end of the journey releases the credit of a check that was never asked for. The
 * state alone says all of this, so the ledger can be compared with the rows at any time. Test journeys touch no wallet.
 */
import type { WalletName } from "../../../schema/company/Wallet.ts"
import { endsJourney } from "./state/ending.ts"
import type { Journey } from "./state/Journey.ts"

export interface WalletHold {
  readonly wallet: WalletName
  readonly credits: number
}

/** The wallets whose check has been asked for. */
export const chargedWallets = ({ finance, identity, livemode, shape }: Journey): ReadonlyArray<WalletName> => {
  if (!livemode) return []
  const isAccepted = finance?.status === "SUBMITTED" ? finance.accepted : finance?.status !== "SUBMISSION_FAILED"
  const isAsked = identity !== null && identity.status !== "NOT_ASKED" && identity.requestedAt !== null
  return [
    ...(shape === "FINANCE_SUBMIT_VIA_MIRA" && isAccepted ? (["APPLICATION"] as const) : []),
    ...(isAsked ? (["IDENTITY"] as const) : [])
  ]
}

/** What a decision charges. */
export const chargesOf = (before: Journey | null, after: Journey): ReadonlyArray<WalletName> => {
  const known = before === null ? [] : chargedWallets(before)
  return chargedWallets(after).filter((wallet) => !known.includes(wallet))
}

/** Whether a decision releases the credits that are still held. */
export const releasesHolds = (before: Journey, after: Journey): boolean => before.livemode && endsJourney(before, after)
