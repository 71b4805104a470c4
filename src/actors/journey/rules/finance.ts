/**
 * The finance region of FINANCE_IDENTITY_DELIVERY journeys.
 *
 *     SUBMITTED ──approved──▶ APPROVED                 SUBMITTED (not accepted) ──PanelFailed──▶ SUBMISSION_FAILED, journey CANCELLED
 *        │  ▲└────declined──▶ DECLINED, journey CANCELLED
 *     referred (again and again)
 *        ▼  │
 *     REFERRED ─approved, declined as above
 *
 * Whether a decision may come at all, and from whom, is judged here; what it means for the handover is in `handover.ts`.
 */
import type { CheckPossible } from "../../../schema/journey/messages.ts"
import type { Decision, SubmissionFailure } from "../../../schema/journey/statuses.ts"
import { cancelled } from "./ending.ts"
import { askForHandoverIfReady } from "./handover.ts"
import { isFinancePending } from "./gates.ts"
import { askForIdentity } from "./identity.ts"
import type { Journey } from "./Journey.ts"
import { andThen, ignored, oweMail, rejected, settle, step, type Outcome, type Step } from "./step.ts"

/** Records a lender's decision on a pending application: the journey goes on, waits on, or ends. */
export const decided = (before: Step, decision: Decision, now: number): Step => {
  switch (decision) {
    case "APPROVED":
      return askForHandoverIfReady(
        oweMail(
          andThen(before, { finance: { status: "APPROVED", decidedAt: now } }, { type: "finance_enquiry.approved" }),
          "FINANCE_APPROVED"
        )
      )
    case "REFERRED":
      return oweMail(
        andThen(before, { finance: { status: "REFERRED" } }, { type: "finance_enquiry.referred" }),
        "FINANCE_UPDATED"
      )
    case "DECLINED":
      return cancelled(
        oweMail(
          andThen(before, { finance: { status: "DECLINED", decidedAt: now } }, { type: "finance_enquiry.declined" }),
          "FINANCE_UPDATED"
        )
      )
  }
}

/** The caller's decision (§4.4); the codes come in the order of V16. */
export const callerDecides = (journey: Journey, decision: Decision, now: number): Outcome => {
  if (journey.shape === "FINANCE_SUBMIT_VIA_MIRA") {
    return rejected("FINANCE_DECISION_FROM_PANEL", "The finance panel decides on this journey")
  }
  if (journey.finance === null) {
    return rejected("FINANCE_ALREADY_DECIDED", "No finance decision is open on this journey")
  }
  if (journey.finance.status === "APPROVED" || journey.finance.status === "DECLINED") {
    return rejected("FINANCE_ALREADY_DECIDED", "A finance decision is already recorded")
  }
  if (journey.status !== "ACTIVE") {
    return rejected("JOURNEY_FINISHED", "The journey has already ended")
  }
  return decided(step(journey), decision, now)
}

const isWithPanel = (journey: Journey): boolean =>
  journey.shape === "FINANCE_SUBMIT_VIA_MIRA" && isFinancePending(journey)

const isAwaitingAcceptance = (journey: Journey): boolean =>
  isWithPanel(journey) && journey.finance?.status === "SUBMITTED" && !journey.finance.accepted

/** The panel took the application: the customer is asked to verify identity while the decision is pending (§3, rule 4). */
export const panelAccepts = (journey: Journey, check: CheckPossible, now: number): Outcome =>
  isAwaitingAcceptance(journey)
    ? askForIdentity(
        settle(step({ ...journey, finance: { status: "SUBMITTED", accepted: true } }), "SUBMIT_APPLICATION"),
        check,
        now
      )
    : ignored("the application is not waiting to be accepted")

/** The panel's decision; one that comes before the acceptance counts as accepted first (F4). */
export const panelDecides = (journey: Journey, decision: Decision, check: CheckPossible, now: number): Outcome => {
  if (!isWithPanel(journey)) return ignored("no decision of the panel is open")
  const pending = settle(step(journey), "SUBMIT_APPLICATION")
  // Nobody is asked to verify for an application that is already declined (F2).
  const isToBeAsked = isAwaitingAcceptance(journey) && decision !== "DECLINED"
  return decided(isToBeAsked ? askForIdentity(pending, check, now) : pending, decision, now)
}

/** The application could not be submitted: only before the panel accepted it (F3). */
export const panelFails = (journey: Journey, reason: SubmissionFailure, now: number): Outcome =>
  isAwaitingAcceptance(journey)
    ? cancelled(
        oweMail(
          andThen(
            step(journey),
            { finance: { status: "SUBMISSION_FAILED", decidedAt: now, reason } },
            { type: "finance_enquiry.submission_failed", reason }
          ),
          "SUBMISSION_FAILED"
        )
      )
    : ignored("the application is not waiting to be accepted")
