/**
 * Forces an outcome in the sandbox (S3). The missing steps of the happy path are taken, and then the message that emits the
 * asked event; all of this is one decision, with all events in order. When the happy path ends before the event could come,
 * nothing changes and the caller hears EVENT_NOT_POSSIBLE. The endpoint refuses live journeys and other events before
 * (V21); here they are refused again.
 */
import type { SimulatableEvent } from "../../../schema/journey/events.ts"
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import { isHandoverReady } from "./gates.ts"
import type { Journey } from "./Journey.ts"
import { happyStep } from "./script.ts"
import { afterStep, rejected, step, type Outcome, type Step } from "./step.ts"

type Decide = (journey: Journey, message: JourneyMessage) => Outcome

const check: CheckPossible = { possible: true }

/** The messages that can emit each event, in the order they are tried. */
const candidates: Readonly<Record<SimulatableEvent, ReadonlyArray<JourneyMessage>>> = {
  "finance_enquiry.approved": [
    { _tag: "FinanceDecision", decision: "APPROVED" },
    { _tag: "PanelDecision", decision: "APPROVED", check }
  ],
  "finance_enquiry.declined": [
    { _tag: "FinanceDecision", decision: "DECLINED" },
    { _tag: "PanelDecision", decision: "DECLINED", check }
  ],
  "finance_enquiry.referred": [
    { _tag: "FinanceDecision", decision: "REFERRED" },
    { _tag: "PanelDecision", decision: "REFERRED", check }
  ],
  "finance_enquiry.submission_failed": [{ _tag: "PanelFailed", reason: "PANEL_ERROR" }],
  "identity.verified": [{ _tag: "IdentityVerified" }],
  "identity.under_review": [{ _tag: "IdentityUnderReview" }],
  "identity.failed": [{ _tag: "IdentityFailed" }],
  "delivery.location_confirmed": [{ _tag: "LocationConfirmed" }],
  "delivery.awaiting_video": [{ _tag: "LocationConfirmed" }, { _tag: "TeamRejectsVideo" }, { _tag: "VideoNotMatched" }],
  "delivery.video_uploaded": [{ _tag: "VideoUploaded" }],
  "delivery.under_review": [{ _tag: "VideoUnclear" }],
  "delivery.completed": [{ _tag: "VideoMatched" }, { _tag: "TeamApprovesVideo" }],
  "delivery.cancelled": [{ _tag: "TeamCancelsHandover" }],
  "delivery.expired": [{ _tag: "CustomerWindowPassed" }, { _tag: "SafetyCapPassed" }]
}

const emits = (taken: Step, event: string): boolean => taken.events.some((draft) => draft.type === event)

export const simulate = (journey: Journey, event: string, decide: Decide): Outcome => {
  if (journey.sandbox === null) return rejected("API_KEY_NOT_PERMITTED", "Only test journeys can be simulated")
  if (!isSimulatable(event)) return rejected("VALIDATION_FAILED", "The event is not one that can be simulated")
  if (journey.status !== "ACTIVE") return rejected("JOURNEY_FINISHED", "The journey has already ended")
  const messages = candidates[event]
  let sofar = step(journey)
  // This loop ends: every step of the happy path brings the journey closer to its end.
  while (sofar.journey.status === "ACTIVE") {
    const forced = firstThatEmits(sofar, messages, event, decide)
    if (forced !== null) return withHandover(forced, decide)
    const next = advance(sofar, decide)
    if (next === null) break
    if (emits(next.added, event)) return withHandover(next.sofar, decide)
    sofar = next.sofar
  }
  return rejected("EVENT_NOT_POSSIBLE", `${event} cannot be reached from here`)
}

const isSimulatable = (event: string): event is SimulatableEvent => Object.hasOwn(candidates, event)

const firstThatEmits = (
  sofar: Step,
  messages: ReadonlyArray<JourneyMessage>,
  event: string,
  decide: Decide
): Step | null => {
  for (const message of messages) {
    const outcome = decide(sofar.journey, message)
    if (outcome._tag === "Step" && emits(outcome, event)) return afterStep(sofar, outcome)
  }
  return null
}

const advance = (sofar: Step, decide: Decide): { readonly sofar: Step; readonly added: Step } | null => {
  const scripted = happyStep(sofar.journey)
  if (scripted === null) return null
  const outcome = decide(sofar.journey, scripted.messages[0])
  return outcome._tag === "Step" ? { sofar: afterStep(sofar, outcome), added: outcome } : null
}

/** The answer shows everything that the event caused, the service's own step too (R10). */
const withHandover = (forced: Step, decide: Decide): Step => {
  if (!isHandoverReady(forced.journey)) return forced
  const outcome = decide(forced.journey, { _tag: "HandoverCreated" })
  return outcome._tag === "Step" ? afterStep(forced, outcome) : forced
}
