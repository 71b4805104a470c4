/**
 * Forces an outcome in the sandbox (S3): the plan of ordinary messages that lead to the asked event. The plan takes the
 * missing steps of the happy path, then the message that emits the event, and then the service's own step that follows.
 * When the happy path ends before the event could come, there is no plan and the caller hears EVENT_NOT_POSSIBLE. The
 * endpoint refuses live journeys and other events before (V21); here they are refused again. Who takes the messages of a
 * plan, one after the other, is decided in `plan.ts`.
 */
import type { SimulatableEvent } from "../../../schema/journey/events.ts"
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import { isHandoverReady } from "./state/gates.ts"
import type { Journey } from "./state/Journey.ts"
import { happyStep, results } from "./script.ts"
import { rejected, step, type Outcome, type Rejected, type Step } from "./state/step.ts"

type Decide = (journey: Journey, message: JourneyMessage) => Outcome

/** The messages so far, and what they come to. */
interface Planned {
  readonly messages: ReadonlyArray<JourneyMessage>
  readonly last: Step
}

const check: CheckPossible = { possible: true, by: "BUILT_IN" }

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
  "identity.verified": [results.identityVerified],
  "identity.under_review": [results.identityUnclear],
  "identity.failed": [results.identityFailed],
  "delivery.location_confirmed": [{ _tag: "LocationConfirmed" }],
  "delivery.awaiting_video": [{ _tag: "LocationConfirmed" }, { _tag: "TeamRejectsVideo" }, results.videoMismatched],
  "delivery.video_uploaded": [{ _tag: "VideoUploaded" }],
  "delivery.under_review": [results.videoUnclear],
  "delivery.completed": [{ _tag: "VideoMatched" }, { _tag: "TeamApprovesVideo" }],
  "delivery.cancelled": [{ _tag: "TeamCancelsHandover" }],
  "delivery.expired": [{ _tag: "CustomerWindowPassed" }, { _tag: "SafetyCapPassed" }]
}

const emits = (taken: Step, event: string): boolean => taken.events.some((draft) => draft.type === event)

/** The plan, in order and never empty, or why there is none. */
export const simulationOf = (
  journey: Journey,
  event: string,
  decide: Decide
): ReadonlyArray<JourneyMessage> | Rejected => {
  if (journey.sandbox === null) return rejected("API_KEY_NOT_PERMITTED", "Only test journeys can be simulated")
  if (!isSimulatable(event)) return rejected("VALIDATION_FAILED", "The event is not one that can be simulated")
  if (journey.status !== "ACTIVE") return rejected("JOURNEY_FINISHED", "The journey has already ended")
  let sofar: Planned = { messages: [], last: step(journey) }
  // This loop ends: every step of the happy path brings the journey closer to its end.
  while (sofar.last.journey.status === "ACTIVE") {
    const forced = firstThatEmits(sofar, event, candidates[event], decide)
    if (forced !== null) return withHandover(forced, decide).messages
    const next = nextOnHappyPath(sofar, decide)
    if (next === null) break
    if (emits(next.last, event)) return withHandover(next, decide).messages
    sofar = next
  }
  return rejected(
    "EVENT_NOT_POSSIBLE",
    `${event} cannot be reached from here; the journey's actions list the events that can`
  )
}

const isSimulatable = (event: string): event is SimulatableEvent => Object.hasOwn(candidates, event)

/** The plan with one more message, or null when the message is no step. */
const andThen = ({ last, messages }: Planned, message: JourneyMessage, decide: Decide): Planned | null => {
  const outcome = decide(last.journey, message)
  return outcome._tag === "Step" ? { messages: [...messages, message], last: outcome } : null
}

const firstThatEmits = (
  sofar: Planned,
  event: string,
  messages: ReadonlyArray<JourneyMessage>,
  decide: Decide
): Planned | null => {
  for (const message of messages) {
    const next = andThen(sofar, message, decide)
    if (next !== null && emits(next.last, event)) return next
  }
  return null
}

const nextOnHappyPath = (sofar: Planned, decide: Decide): Planned | null => {
  const scripted = happyStep(sofar.last.journey)
  return scripted === null ? null : andThen(sofar, scripted.messages[0], decide)
}

/** The answer shows everything that the event caused, the service's own step too (R10). */
const withHandover = (forced: Planned, decide: Decide): Planned =>
  (isHandoverReady(forced.last.journey) ? andThen(forced, { _tag: "HandoverCreated" }, decide) : null) ?? forced
