/**
 * How a journey ends: completed, cancelled or expired. An ending is the last event of the log; when a handover exists
 * its own ending comes right before (H7). What is still owed to the outside ends with it, the mails excepted.
 */
import { isCustomerAwaited } from "./waiting.ts"
import type { Handover, Journey } from "./Journey.ts"
import { andThen, ignored, oweMail, rejected, step, type EventDraft, type Outcome, type Step } from "./step.ts"

const dropUnfinishedWork = (before: Step): Step =>
  andThen(before, { owed: before.journey.owed.filter((one) => one.kind === "MAIL") })

const end = (before: Step, status: "CANCELLED" | "EXPIRED", handoverEvent: EventDraft, event: EventDraft): Step => {
  const { handover } = before.journey
  return handover === null
    ? dropUnfinishedWork(andThen(before, { status }, event))
    : dropUnfinishedWork(andThen(before, { status, handover: { ...handover, status } }, handoverEvent, event))
}

export const cancelled = (before: Step): Step =>
  end(before, "CANCELLED", { type: "delivery.cancelled" }, { type: "journey.cancelled" })

export const expired = (before: Step): Step =>
  end(before, "EXPIRED", { type: "delivery.expired" }, { type: "journey.expired" })

/** The handover is verified. The commit of it marks the vehicle sold (H8). */
export const completed = (before: Step, now: number): Step => {
  const { handover } = before.journey
  if (handover === null) return before
  const done: Handover = { ...handover, status: "COMPLETED", completedAt: now }
  return oweMail(
    dropUnfinishedWork(
      andThen(
        before,
        { status: "COMPLETED", handover: done },
        { type: "delivery.completed" },
        { type: "journey.completed" }
      )
    ),
    "HANDOVER_COMPLETE"
  )
}

/** The vehicle this decision sold: of a live journey that has just been completed. Test journeys touch none (§5, rule 6). */
export const vehicleSold = ({ events, journey }: Step): string | null =>
  journey.livemode && events.some(({ type }) => type === "journey.completed") ? journey.inventoryVehicleId : null

export const cancel = (journey: Journey): Outcome =>
  journey.status === "ACTIVE" ? cancelled(step(journey)) : rejected("JOURNEY_FINISHED", "The journey has already ended")

export const teamCancelsHandover = (journey: Journey): Outcome =>
  journey.handover === null ? ignored("there is no handover to cancel") : cancelled(step(journey))

export const customerWindowPassed = (journey: Journey): Outcome =>
  isCustomerAwaited(journey) ? expired(step(journey)) : ignored("the customer is not awaited")

/** After 180 days a journey ends whatever it waits for (X3). */
export const safetyCapPassed = (journey: Journey): Outcome => expired(step(journey))
