/**
 * A journey as its customer sees it: the steps in their order, where each stands, and which one is asked of them now.
 * Pure. In which words that is told is the pages' business.
 */
import type { Journey } from "../journey/rules/Journey.ts"

/** What a customer can be asked to do, named as its mail is. */
export const customerSteps = ["VERIFY_IDENTITY", "CONFIRM_ADDRESS", "RECORD_VIDEO"] as const
export type CustomerStep = (typeof customerSteps)[number]

export type StepName = "FINANCE" | CustomerStep

/** NOW: the customer's turn. WAITING: somebody else's. LATER: it has not begun. */
export type Standing = "DONE" | "NOW" | "WAITING" | "LATER"

export interface StepStanding {
  readonly step: StepName
  readonly standing: Standing
}

/** The one thing the customer is asked for, or null. */
export const stepAskedOf = (journey: Journey): CustomerStep | null => {
  if (journey.status !== "ACTIVE") return null
  switch (journey.handover?.status) {
    case "AWAITING_LOCATION":
      return "CONFIRM_ADDRESS"
    case "AWAITING_VIDEO":
      return "RECORD_VIDEO"
    case "AWAITING_IDENTITY":
    case undefined:
      return journey.identity?.status === "REQUESTED" || journey.identity?.status === "FAILED"
        ? "VERIFY_IDENTITY"
        : null
    default:
      return null
  }
}

/** Whether the step asked for was tried before, and did not succeed. */
export const isAskedAgain = (journey: Journey): boolean => {
  switch (stepAskedOf(journey)) {
    case "VERIFY_IDENTITY":
      return journey.identity?.status === "FAILED"
    case "RECORD_VIDEO":
      return (journey.handover?.mismatches ?? 0) > 0
    case "CONFIRM_ADDRESS":
    case null:
      return false
  }
}

/** Every step of this journey, the present one first in time and not in the list: the list is the way to go. */
export const stepsOf = (journey: Journey): ReadonlyArray<StepStanding> => [
  ...(journey.finance === null
    ? []
    : [{ step: "FINANCE" as const, standing: financeStanding(journey.finance.status) }]),
  ...(journey.identity === null ? [] : [{ step: "VERIFY_IDENTITY" as const, standing: identityStanding(journey) }]),
  ...(journey.handoverType === "HOME_DELIVERY"
    ? [{ step: "CONFIRM_ADDRESS" as const, standing: addressStanding(journey) }]
    : []),
  { step: "RECORD_VIDEO", standing: videoStanding(journey) }
]

const financeStanding = (status: NonNullable<Journey["finance"]>["status"]): Standing =>
  status === "APPROVED" ? "DONE" : "WAITING"

const identityStanding = ({ identity }: Journey): Standing => {
  switch (identity?.status) {
    case "VERIFIED":
      return "DONE"
    case "REQUESTED":
    case "FAILED":
      return "NOW"
    case "UNDER_REVIEW":
    case "UNAVAILABLE":
      return "WAITING"
    case "NOT_ASKED":
    case undefined:
      return "LATER"
  }
}

const addressStanding = ({ handover }: Journey): Standing => {
  switch (handover?.status) {
    case undefined:
    case "AWAITING_IDENTITY":
      return "LATER"
    case "AWAITING_LOCATION":
      return "NOW"
    default:
      return "DONE"
  }
}

const videoStanding = ({ handover }: Journey): Standing => {
  switch (handover?.status) {
    case "AWAITING_VIDEO":
      return "NOW"
    case "VIDEO_UPLOADED":
    case "UNDER_REVIEW":
      return "WAITING"
    case "COMPLETED":
      return "DONE"
    default:
      return "LATER"
  }
}
