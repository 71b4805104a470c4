/**
 * The calls that a journey would take now, and what every other call would be refused with. Each call is tried as the message
 * that it becomes, by the same rules that decide the real one, so the two never differ. What the endpoints judge besides is
 * not known here: the rights of a key, the form of a body, and how many links an hour are mailed. Pure.
 */
import { callsOfKeys, callsOfTeam, type CallOfKey, type JourneyCall } from "../../../schema/journey/actions.ts"
import { simulatableEvents } from "../../../schema/journey/events.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { Decision } from "../../../schema/journey/statuses.ts"
import type { ErrorCode } from "../../../schema/problems.ts"
import { ReviewVerdict } from "../../../schema/review/Review.ts"
import { decide } from "./decide.ts"
import type { Journey } from "./state/Journey.ts"
import { attemptsOf, verdictOn } from "./reviewVerdict.ts"
import { openReview, stepAskedOf } from "./state/waiting.ts"

/** A call, or some of its bodies: those whose member has one of these values. */
interface Call<Name extends JourneyCall> {
  readonly operation: Name
  readonly choices: { readonly member: string; readonly values: ReadonlyArray<string> } | null
}

interface RefusedCall<Name extends JourneyCall> extends Call<Name> {
  readonly code: ErrorCode
}

export interface AllowedCalls<Name extends JourneyCall = JourneyCall> {
  readonly allowed: ReadonlyArray<Call<Name>>
  readonly notAllowed: ReadonlyArray<RefusedCall<Name>>
}

/** What a key of the journey's own mode may call; a key of the other mode does not see the journey. */
export const allowedCallsOfKeys = (journey: Journey): AllowedCalls<CallOfKey> => judged(callsOfKeys, journey)

/** What the company's team may do. */
export const allowedCallsOfTeam = (journey: Journey): AllowedCalls => judged(callsOfTeam, journey)

/** A body of a call, and what the call is refused with; null: the journey takes it. */
interface Trial {
  readonly value: string | null
  readonly code: ErrorCode | null
}

interface Trials {
  /** The member of the body that tells the trials apart. */
  readonly member: string
  readonly of: (journey: Journey) => ReadonlyArray<Trial>
}

const judged = <Name extends JourneyCall>(operations: ReadonlyArray<Name>, journey: Journey): AllowedCalls<Name> => {
  const lines = operations.flatMap((operation) => linesOf(operation, journey))
  return {
    allowed: lines.flatMap(({ code, ...call }) => (code === null ? [call] : [])),
    notAllowed: lines.flatMap(({ code, ...call }) => (code === null ? [] : [{ ...call, code }]))
  }
}

/** One line for all bodies that hear the same. */
const linesOf = <Name extends JourneyCall>(operation: Name, journey: Journey) => {
  const { member, of } = trials[operation]
  const all = of(journey)
  return [...new Set(all.map(({ code }) => code))].map((code) => {
    const alike = all.filter((one) => one.code === code)
    const values = alike.flatMap(({ value }) => value ?? [])
    return { operation, code, choices: alike.length === all.length ? null : { member, values } }
  })
}

const codeOfMessage = (journey: Journey, message: JourneyMessage): ErrorCode | null => {
  const outcome = decide(journey, message, journey.lastEventAt)
  switch (outcome._tag) {
    case "Step":
      return null
    case "Rejected":
      return outcome.code
    case "Ignored":
      return "CONFLICT"
  }
}

/** A call all of whose bodies hear the same. */
const whole = (codeOf: (journey: Journey) => ErrorCode | null): Trials => ({
  member: "",
  of: (journey) => [{ value: null, code: codeOf(journey) }]
})

const always = (message: JourneyMessage): Trials => whole((journey) => codeOfMessage(journey, message))

const oneOf = <Value extends string>(
  member: string,
  values: ReadonlyArray<Value>,
  codeOf: (journey: Journey, value: Value) => ErrorCode | null
): Trials => ({ member, of: (journey) => values.map((value) => ({ value, code: codeOf(journey, value) })) })

const codeOfVerdict = (journey: Journey, verdict: ReviewVerdict): ErrorCode | null => {
  const kind = openReview(journey)
  if (kind === null || kind === "CHECK_UNAVAILABLE") return "CONFLICT"
  return codeOfMessage(journey, verdictOn(kind, verdict, { reviewed: attemptsOf(journey, kind) }))
}

/** The team hears of every refusal as a conflict. */
const asTeamHears = (code: ErrorCode | null): ErrorCode | null => (code === null ? null : "CONFLICT")

const trials: Readonly<Record<JourneyCall, Trials>> = {
  cancelJourney: always({ _tag: "Cancel" }),
  sendFinanceDecision: oneOf("decision", Decision.literals, (journey, decision) =>
    codeOfMessage(journey, { _tag: "FinanceDecision", decision })
  ),
  replaceCustomerFace: always({ _tag: "ReplaceFace" }),
  simulateEvent: oneOf("event", simulatableEvents, (journey, event) =>
    codeOfMessage(journey, { _tag: "Simulate", event })
  ),
  // Whether the check can be started is the company's setting; the journey takes the message either way.
  resendCheck: always({ _tag: "TeamResendsCheck", check: { possible: true, by: "BUILT_IN" } }),
  resendLink: whole((journey) => (stepAskedOf(journey) === null ? "CONFLICT" : null)),
  cancelCompanyJourney: whole((journey) => asTeamHears(codeOfMessage(journey, { _tag: "Cancel" }))),
  cancelHandover: always({ _tag: "TeamCancelsHandover" }),
  // Of a test journey.
  forceOutcome: oneOf("event", simulatableEvents, (journey, event) =>
    asTeamHears(codeOfMessage(journey, { _tag: "Simulate", event }))
  ),
  decideReview: oneOf("decision", ReviewVerdict.literals, codeOfVerdict)
}
