/**
 * The finance region: its guards, and what each of its statuses holds. The rows that use them are in
 * `table/financeRows.ts`.
 */
import type { FinanceStatus } from "../../../../schema/journey/statuses.ts"
import { isFinancePending } from "./gates.ts"
import type { Finance, Journey } from "./Journey.ts"
import type { Cause } from "./cause.ts"

/** The panel decides on this journey, and has not decided yet. */
export const isWithPanel = (journey: Journey): boolean =>
  journey.shape === "FINANCE_SUBMIT_VIA_MIRA" && isFinancePending(journey)

/** The panel has not yet said that it takes the application. */
export const isAwaitingAcceptance = ({ finance, shape }: Journey): boolean =>
  shape === "FINANCE_SUBMIT_VIA_MIRA" && finance?.status === "SUBMITTED" && !finance.accepted

export const isAccepted = (journey: Journey): boolean => !isAwaitingAcceptance(journey)

export const isDecidedByPanel = ({ shape }: Journey): boolean => shape === "FINANCE_SUBMIT_VIA_MIRA"

export const hasNoFinance = ({ finance }: Journey): boolean => finance === null

export const isFinanceDecided = ({ finance }: Journey): boolean =>
  finance?.status === "APPROVED" || finance?.status === "DECLINED"

/** The journey was cancelled because no finance came about, and nobody of the company cancelled it. */
export const isEndedByFinance = ({ finance, status }: Journey): boolean =>
  status === "CANCELLED" && (finance?.status === "DECLINED" || finance?.status === "SUBMISSION_FAILED")

/** The region as it is after it has come to a status. */
export const financeIn = (status: FinanceStatus, { finance, shape }: Journey, cause: Cause, now: number): Finance => {
  switch (status) {
    case "SUBMITTED":
      // A deal on the caller's own panel is accepted already; one that is SUBMITTED again has just been accepted.
      return { status, accepted: shape === "FINANCE_ALREADY_SUBMITTED" || finance !== null }
    case "REFERRED":
      return { status }
    case "APPROVED":
    case "DECLINED":
      return { status, decidedAt: now }
    case "SUBMISSION_FAILED":
      return { status, decidedAt: now, reason: cause._tag === "PanelFailed" ? cause.reason : "SUBMISSION_ERROR" }
  }
}
