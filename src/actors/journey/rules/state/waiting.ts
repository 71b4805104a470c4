/**
 * What a journey waits for, decided here and nowhere else: `nextAction`, the customer's step, the team's review, the time
 * limits of the customer, the sandbox's script and the column `waiting_on` are all read off `waitsOf`. The rows of
 * `STEPS` say whose turn a step is.
 */
import type { waitingOn } from "../../../../schema/journey/steps.ts"
import {
  customerSteps,
  nextActionOf,
  STEPS,
  type CustomerStep,
  type NextAction,
  type StepRow,
  type Turn,
  type TurnOf
} from "../../../../schema/journey/steps.ts"
import { isFinancePending, isHandoverReady } from "./gates.ts"
import type { Journey } from "./Journey.ts"
import type { ReviewKind } from "../../../../schema/journey/ReviewKind.ts"

/** A step that a journey is at, and whose turn it is: one member for each step, with the turns that its row can have. */
export type OpenStep = {
  [Step in CustomerStep]: { readonly step: Step; readonly turn: Exclude<TurnOf<Step>, "LATER" | "DONE"> }
}[CustomerStep]

/** Everything that an active journey waits for. A finance decision and a step may be awaited at the same time (N2). */
export interface Waits {
  /** Who must tell the lender's decision. */
  readonly decision: "CALLER" | "PANEL" | null
  readonly open: OpenStep | null
  /** The service sets the handover up. */
  readonly isHandoverBeingCreated: boolean
}

const openStepAt = (region: StepRow["region"], status: string): OpenStep | null => {
  for (const step of customerSteps) {
    const row = STEPS[step]
    const turns: Readonly<Record<string, Turn>> = row.turns
    const turn = row.region === region ? turns[status] : undefined
    // The turn is one of this very row.
    if (turn !== undefined && turn !== "LATER" && turn !== "DONE") return { step, turn } as OpenStep
  }
  return null
}

/** The open step of every status of a region; worked out once, when the module loads. */
const openSteps = (region: StepRow["region"]): ReadonlyMap<string, OpenStep | null> =>
  new Map(
    Object.values(STEPS)
      .filter((row) => row.region === region)
      .flatMap(({ turns }) => Object.keys(turns))
      .map((status) => [status, openStepAt(region, status)])
  )

const openAtIdentity = openSteps("identity")
const openAtHandover = openSteps("handover")

const openStepOf = ({ handover, identity }: Journey): OpenStep | null =>
  (handover === null ? null : openAtHandover.get(handover.status)) ??
  (identity === null ? null : openAtIdentity.get(identity.status)) ??
  null

/** Null: the journey has ended and waits for nothing (N1). */
export const waitsOf = (journey: Journey): Waits | null =>
  journey.status === "ACTIVE"
    ? {
        decision: isFinancePending(journey)
          ? journey.shape === "FINANCE_ALREADY_SUBMITTED"
            ? "CALLER"
            : "PANEL"
          : null,
        open: openStepOf(journey),
        isHandoverBeingCreated: isHandoverReady(journey)
      }
    : null

/**
 * What callers read. What somebody can do now comes before what is merely awaited, and the caller's own duty comes first
 * (N2).
 */
export const nextAction = (journey: Journey): NextAction | null => {
  const waits = waitsOf(journey)
  if (waits === null) return null
  if (waits.decision === "CALLER") return "SEND_FINANCE_DECISION"
  const action = waits.open === null ? null : stepAction(waits.open, journey)
  if (action !== null) return action
  if (waits.decision === "PANEL") return "AWAITING_LENDER_DECISION"
  return waits.isHandoverBeingCreated ? "HANDOVER_BEING_CREATED" : null
}

/** What callers read of an open step; null while the service itself is at it. */
const stepAction = ({ step, turn }: OpenStep, journey: Journey): NextAction | null => {
  switch (turn) {
    case "CUSTOMER":
      return nextActionOf(step)
    case "SERVICE":
      return null
    case "VIDEO":
    case "CHECK_UNAVAILABLE":
    case "IDENTITY":
      return reviewAction(turn, journey)
  }
}

/** What callers read while the team has a review. */
export const reviewAction = (review: ReviewKind, { handover }: Journey): NextAction =>
  // Before a handover the reviewer may be a broker's; a cash sale, whose handover exists, is a dealer's (N3).
  review === "IDENTITY" && handover === null ? "IDENTITY_UNDER_REVIEW" : "DEALER_TO_REVIEW"

/** The step that the customer is asked to do, or null. */
export const stepAskedOf = (journey: Journey): CustomerStep | null => {
  const open = waitsOf(journey)?.open ?? null
  return open?.turn === "CUSTOMER" ? open.step : null
}

/** The customer's windows run only while this is so (X1, X2). The safety cap always runs (X3). */
export const isCustomerAwaited = (journey: Journey): boolean => stepAskedOf(journey) !== null

/** The review that waits for the company's team, whatever else the journey waits for; a journey has at most one. */
export const openReview = (journey: Journey): ReviewKind | null => {
  const turn = waitsOf(journey)?.open?.turn
  return turn === undefined || turn === "CUSTOMER" || turn === "SERVICE" ? null : turn
}

/** The value of the column `waiting_on`, which every commit writes. SERVICE: the service itself is at work. */
export const waitingOnOf = (journey: Journey): (typeof waitingOn)[number] | null =>
  journey.status === "ACTIVE" ? (nextAction(journey) ?? "SERVICE") : null
