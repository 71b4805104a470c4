/**
 * Every state a journey can come to, by telling every message to every state found so far, beginning with every kind
 * of start. Times and counters are left out of the comparison, so the exploration ends; what depends on them is in
 * `timers.test.ts` and the property tests. Not a test itself.
 */
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { record } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import type { Scenario } from "../../../../src/schema/journey/sandbox.ts"
import { Decision } from "../../../../src/schema/journey/statuses.ts"
import {
  countingIds,
  everyMessage,
  factsOf,
  frozen,
  impossible,
  outside,
  owedWork,
  places,
  possible,
  sandbox,
  second,
  shapes,
  started,
  startedAt
} from "./startedJourneys.ts"

export interface Reached {
  readonly facts: StartFacts
  readonly journey: Journey
  /** The time of the last message. */
  readonly now: number
  /** How the state was reached, for the reader of a failure. */
  readonly path: ReadonlyArray<JourneyMessage>
}

/** Every kind of start in a mode: shape, place, a decision known at the start, a check that is possible or not. */
const startsIn = (mode: StartFacts["sandbox"]): ReadonlyArray<StartFacts> =>
  shapes.flatMap((shape) =>
    places.flatMap((handoverType) =>
      [possible, outside, impossible].flatMap((check) =>
        (shape === "FINANCE_ALREADY_SUBMITTED" ? [null, ...Decision.literals] : [null]).map((decision) =>
          factsOf(shape, { handoverType, sandbox: mode, check, decision })
        )
      )
    )
  )

/** Every kind of start, live and test; scenarios change only what a test journey does by itself. */
export const everyStart: ReadonlyArray<StartFacts> = [...startsIn(null), ...startsIn(sandbox())]

const withoutConsents = everyMessage.filter(({ _tag }) => !_tag.startsWith("Consent"))

/** Two states with the same key differ in times, counters, mails and a pending deletion only. */
const keyOf = (journey: Journey): string =>
  JSON.stringify([
    journey.shape,
    journey.handoverType,
    journey.livemode,
    journey.sandbox?.scenario,
    journey.sandbox?.scenarioSpent,
    journey.status,
    journey.finance?.status,
    journey.finance?.status === "SUBMITTED" && journey.finance.accepted,
    journey.identity?.status,
    journey.handover?.status,
    journey.handover?.mismatches,
    journey.consents?.identity?.answer,
    journey.consents?.video?.answer,
    journey.window?.kind,
    journey.window?.deadline === null,
    owedWork(journey).filter((kind) => kind !== "DELETE_BIOMETRICS")
  ])

const explore = (starts: ReadonlyArray<StartFacts>): ReadonlyArray<Reached> => {
  const seen = new Map<string, Reached>()
  const visit = (reached: Reached) => {
    const key = keyOf(reached.journey)
    if (seen.has(key)) return
    seen.set(key, { ...reached, journey: frozen(reached.journey) })
  }
  for (const facts of starts) visit({ facts, journey: started(facts).journey, now: startedAt, path: [] })
  // A map hands out what is added during the loop too, so the loop ends when nothing new was found.
  for (const { facts, journey, now, path } of seen.values()) {
    // What a customer says to a comparison of faces is the same in test journeys: random lives say it there, too.
    for (const message of journey.sandbox === null ? everyMessage : withoutConsents) {
      const at = now + second
      const outcome = decide(journey, message, at)
      if (outcome._tag === "Step") {
        visit({ facts, journey: record(outcome, at, countingIds()).journey, now: at, path: [...path, message] })
      }
    }
  }
  return [...seen.values()]
}

export const reachableStates: ReadonlyArray<Reached> = explore(everyStart)

/** The states of test journeys under a scenario. */
export const statesUnder = (scenario: Scenario): ReadonlyArray<Reached> => explore(startsIn(sandbox(scenario)))

export const activeStates = reachableStates.filter(({ journey }) => journey.status === "ACTIVE")
export const testStates = reachableStates.filter(({ journey }) => journey.sandbox !== null)

/** A failure names the state and how it was reached. */
export const described = ({ journey, path }: Reached): string =>
  `${journey.shape} ${journey.handoverType} ${journey.livemode ? "live" : `test ${journey.sandbox?.scenario ?? "happy"}`}: ` +
  `${journey.status}, finance ${journey.finance?.status}, identity ${journey.identity?.status}, ` +
  `handover ${journey.handover?.status} after ${path.map((message) => JSON.stringify(message)).join(" ")}`
