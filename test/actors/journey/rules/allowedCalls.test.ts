/** What a journey says it takes and refuses, against what it decides when the very call comes. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { allowedCallsOfKeys, allowedCallsOfTeam } from "../../../../src/actors/journey/rules/allowedCalls.ts"
import { awaitedOf } from "../../../../src/actors/journey/rules/awaited.ts"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { openReview, stepAskedOf, waitingOnOf } from "../../../../src/actors/journey/rules/state/waiting.ts"
import { messageOf } from "../../../../src/actors/review/review.ts"
import { callsOfKeys, callsOfTeam, type JourneyCall } from "../../../../src/schema/journey/actions.ts"
import { simulatableEvents } from "../../../../src/schema/journey/events.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { Decision } from "../../../../src/schema/journey/statuses.ts"
import { statesOf } from "./history.ts"
import { described, reachableStates } from "./reachableStates.ts"
import { play } from "./histories.ts"
import { sequences } from "./sequences.ts"
import { factsOf, second, started, startedAt } from "./startedJourneys.ts"

/** Every call with every choice of its body. */
const calls: ReadonlyArray<readonly [operation: JourneyCall, value: string | null]> = [
  ["cancelJourney", null],
  ...Decision.literals.map((decision) => ["sendFinanceDecision", decision] as const),
  ["replaceCustomerFace", null],
  ...simulatableEvents.map((event) => ["simulateEvent", event] as const),
  ["resendCheck", null],
  ["resendLink", null],
  ["cancelCompanyJourney", null],
  ["cancelHandover", null],
  ...simulatableEvents.map((event) => ["forceOutcome", event] as const),
  ["decideReview", "APPROVE"],
  ["decideReview", "REJECT"]
]

/** The message that an endpoint makes of a call; null where the endpoint refuses it itself. */
const messageFor = (journey: Journey, operation: JourneyCall, value: string | null): JourneyMessage | null => {
  switch (operation) {
    case "cancelJourney":
      return { _tag: "Cancel", fingerprint: "f" }
    case "sendFinanceDecision":
      return { _tag: "FinanceDecision", decision: value as Decision }
    case "replaceCustomerFace":
      return { _tag: "ReplaceFace", fingerprint: "f" }
    case "simulateEvent":
    case "forceOutcome":
      return { _tag: "Simulate", event: value ?? "" }
    case "resendCheck":
      return { _tag: "TeamResendsCheck", check: { possible: false, reason: "EKYC_NOT_CONFIGURED" } }
    case "cancelCompanyJourney":
      return { _tag: "Cancel" }
    case "cancelHandover":
      return { _tag: "TeamCancelsHandover" }
    case "decideReview": {
      const kind = openReview(journey)
      return kind === null || kind === "CHECK_UNAVAILABLE"
        ? null
        : messageOf({ journey, kind, taken: null }, value === "APPROVE" ? "APPROVE" : "REJECT", "f")
    }
    case "resendLink":
      return null
  }
}

/** What the call really comes to: OK, or the code of the refusal. */
const outcomeOf = (journey: Journey, now: number, operation: JourneyCall, value: string | null): string => {
  if (operation === "resendLink") return stepAskedOf(journey) === null ? "CONFLICT" : "OK"
  const message = messageFor(journey, operation, value)
  const outcome = message === null ? null : decide(journey, message, now)
  if (outcome?._tag === "Step") return "OK"
  const isOfTeam = callsOfTeam.some((one) => one === operation)
  return outcome?._tag === "Rejected" && !isOfTeam ? outcome.code : "CONFLICT"
}

/** Each choice of each call that the journey's two lists tell of, with what they say of it. */
const told = (journey: Journey) => {
  const [ofKeys, ofTeam] = [allowedCallsOfKeys(journey), allowedCallsOfTeam(journey)]
  return [
    ...[...ofKeys.allowed, ...ofTeam.allowed].map(({ choices, operation }) => ({ operation, choices, code: "OK" })),
    ...ofKeys.notAllowed,
    ...ofTeam.notAllowed
  ]
}

const mistakes = (journey: Journey, now: number): ReadonlyArray<unknown> => {
  const lines = told(journey)
  return calls
    .map(([operation, value]) => ({
      call: `${operation} ${value ?? ""}`,
      predicted: lines
        .filter((one) => one.operation === operation)
        .filter(({ choices }) => choices === null || (value !== null && choices.values.includes(value)))
        .map(({ code }) => code),
      real: outcomeOf(journey, now, operation, value)
    }))
    .filter(({ predicted, real }) => predicted.length !== 1 || predicted[0] !== real)
}

describe("the allowed calls", () => {
  it("name every call of keys and of the team", () => {
    expect(new Set(calls.map(([operation]) => operation))).toEqual(new Set([...callsOfKeys, ...callsOfTeam]))
  })

  it("are accepted, and every other call is refused with the code named, at every moment of random lives", () => {
    fc.assert(
      fc.property(sequences({ clock: "steps back" }), fc.nat(), (life, pick) => {
        const states = statesOf(play(life))
        // Two moments of each life: its end and any other. Together the lives pass through every status.
        for (const state of [states.at(-1), states[pick % states.length]]) {
          if (state !== undefined) expect(mistakes(state.journey, state.now)).toEqual([])
        }
      }),
      { numRuns: 300 }
    )
  })

  it("are right in every state that a journey can come to", () => {
    for (const reached of reachableStates) {
      expect(mistakes(reached.journey, reached.now + second), described(reached)).toEqual([])
    }
  })

  it("differ between live and test keys by simulate alone", () => {
    const live = reachableStates.filter(({ journey }) => journey.livemode)
    expect(live.length).toBeGreaterThan(0)
    for (const { journey } of live) {
      expect(allowedCallsOfKeys(journey).notAllowed).toContainEqual({
        operation: "simulateEvent",
        code: "API_KEY_NOT_PERMITTED",
        choices: null
      })
    }
  })
})

describe("what is awaited", () => {
  it("is something in every running journey, and nothing in one that has ended", () => {
    for (const reached of reachableStates) {
      const awaited = awaitedOf(reached.journey, new Map())
      expect(awaited.length > 0, described(reached)).toBe(reached.journey.status === "ACTIVE")
      const shown = waitingOnOf(reached.journey)
      if (shown !== null && shown !== "SERVICE") {
        expect(
          awaited.map(({ on }) => on),
          described(reached)
        ).toContain(shown)
      }
    }
  })

  it("expires after it began, and is expected before it expires", () => {
    for (const reached of reachableStates) {
      for (const { expectedBy, expiresAt, since } of awaitedOf(reached.journey, new Map())) {
        expect(expiresAt, described(reached)).toBeGreaterThan(since ?? 0)
        expect(expiresAt, described(reached)).toBeGreaterThan(expectedBy ?? 0)
      }
    }
  })
})

it("a finance decision on a cash sale is refused with the reason that the sale has no finance", () => {
  const { journey } = started(factsOf("CASH_SALE"))
  expect(decide(journey, { _tag: "FinanceDecision", decision: "APPROVED" }, startedAt)).toEqual({
    _tag: "Rejected",
    code: "FINANCE_ALREADY_DECIDED",
    message: "This journey has no finance to decide"
  })
})
