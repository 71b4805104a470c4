/**
 * The handover region: its guards, its counter of mismatches, and what a handover holds. The rows that use them are in
 * `table/handoverRows.ts`.
 */
import type { HandoverStatus } from "../../../../schema/journey/statuses.ts"
import type { Handover, Journey } from "./Journey.ts"
import { handoverLimits } from "./limits.ts"
import { keptReasons } from "./reasons.ts"
import type { Cause } from "./cause.ts"

export const isHomeDelivery = ({ handoverType }: Journey): boolean => handoverType === "HOME_DELIVERY"

export const isInStore = ({ handoverType }: Journey): boolean => handoverType === "IN_STORE"

export const isFinanceSale = ({ shape }: Journey): boolean => shape === "FINANCE_SALE"

export const hasHandover = ({ handover }: Journey): boolean => handover !== null

/** With this mismatch the team looks at the video (H4). */
export const isLastMismatch = ({ handover }: Journey): boolean =>
  handover !== null && handover.mismatches + 1 >= handoverLimits.mismatchesBeforeReview

export const mayTryAgain = (journey: Journey): boolean => !isLastMismatch(journey)

/** A verdict names the check that it came from; the verdict on a video after which the customer sent another one changes nothing. */
export const isOfEarlierVideo = ({ owed }: Journey, cause: Cause): boolean => {
  switch (cause._tag) {
    case "VideoMatched":
    case "VideoUnclear":
    case "VideoNotMatched":
      return cause.serial !== undefined && !owed.some(({ serial }) => serial === cause.serial)
    default:
      return false
  }
}

/** The customer's photo is used by FINANCE_SALE alone (V18). */
export const isPhotoUnused = (journey: Journey): boolean => !isFinanceSale(journey) || journey.handover === null

/** A handover that has not ended. */
export const isOpen = (status: HandoverStatus): boolean =>
  status !== "COMPLETED" && status !== "CANCELLED" && status !== "EXPIRED"

export const isHandoverCutShort = ({ handover }: Journey): boolean =>
  handover?.status === "CANCELLED" || handover?.status === "EXPIRED"

export const countMismatch = (handover: Handover): Handover => ({ ...handover, mismatches: handover.mismatches + 1 })

/** A rejection by the team and a new photo start the count anew (H4). */
export const forgetMismatches = (handover: Handover): Handover => ({ ...handover, mismatches: 0 })

/** The region as it is after it has come to a status. The reasons say why the team is asked, and go with the review. */
export const handoverIn = (status: HandoverStatus, { handover }: Journey, cause: Cause, now: number): Handover => ({
  status,
  createdAt: handover?.createdAt ?? now,
  completedAt: status === "COMPLETED" ? now : (handover?.completedAt ?? null),
  mismatches: handover?.mismatches ?? 0,
  ...(status === "UNDER_REVIEW" ? keptReasons(cause) : {})
})
