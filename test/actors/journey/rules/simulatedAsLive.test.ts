/**
 * A simulation and a step of the script tell what live journeys tell (W2): from every state of a test journey, the events
 * and mails of whatever is simulated are those of a live journey that took the same messages one after the other.
 */
import { expect, describe, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { plannedMessage } from "../../../../src/actors/journey/rules/plan.ts"
import { record, type Recorded } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import { dueMessage } from "../../../../src/actors/journey/rules/timers.ts"
import { simulatableEvents } from "../../../../src/schema/journey/events.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { described, statesUnder, testStates, type Reached } from "./reachableStates.ts"
import { countingIds, mailsAmong, second, started, stepOf, told } from "./startedJourneys.ts"

const active = testStates.filter(({ journey }) => journey.status === "ACTIVE")

const liveFacts = (facts: StartFacts): StartFacts => ({ ...facts, livemode: true, sandbox: null })

/** The live journey that took the way of a test journey, message by message at the same times. */
const liveTwin = ({ facts, now, path }: Reached): Journey =>
  path.reduce(
    (at, message, place) => told(at, message, now - (path.length - 1 - place) * second).journey,
    started(liveFacts(facts)).journey
  )

/** What a message and everything that it plans tell, one decision after the other. */
const decisions = (journey: Journey, message: JourneyMessage, now: number) => {
  const taken: Array<{ readonly message: JourneyMessage } & Recorded> = []
  let [at, next]: [Journey, JourneyMessage | null] = [journey, message]
  while (next !== null) {
    const recorded = record(stepOf(decide(at, next, now), next), now, countingIds())
    taken.push({ ...recorded, message: next })
    at = recorded.journey
    next = plannedMessage(at)
  }
  return taken
}

/** All that a receiver and a reader of mails can tell apart, but for ids, times and the mode. */
const shownBy = (parts: ReadonlyArray<Recorded>) =>
  parts.map(({ events, mails }) => ({
    mails: mailsAmong(mails),
    events: events.map(({ body }) => {
      const { createdAt: _, id: __, livemode: ___, ...rest } = JSON.parse(body) as Record<string, unknown>
      return rest
    })
  }))

/** The same messages, taken by the live twin. */
const takenLive = (reached: Reached, messages: ReadonlyArray<JourneyMessage>, now: number): ReadonlyArray<Recorded> => {
  let at = liveTwin(reached)
  return messages.map((message) => {
    const recorded = told(at, message, now)
    at = recorded.journey
    return recorded
  })
}

const expectAsLive = (reached: Reached, message: JourneyMessage): void => {
  const now = reached.now + second
  const [sandboxes, ...ordinary] = decisions(reached.journey, message, now)
  expect([sandboxes?.events, sandboxes?.mails], described(reached)).toEqual([[], []])
  expect(ordinary.length, described(reached)).toBeGreaterThan(0)
  const live = takenLive(
    reached,
    ordinary.map((one) => one.message),
    now
  )
  expect(shownBy(ordinary), described(reached)).toEqual(shownBy(live))
}

describe.each(simulatableEvents)("simulating %s", (event) => {
  it("tells, from every state, what the same path taken live tells", () => {
    let simulated = 0
    for (const reached of active) {
      const message = { _tag: "Simulate", event } as const
      if (decide(reached.journey, message, reached.now + second)._tag !== "Step") continue
      simulated += 1
      expectAsLive(reached, message)
    }
    expect(simulated).toBeGreaterThan(0)
  })
})

it("a step of the script of several messages tells what they tell live", () => {
  const states = [...active, ...statesUnder("video_mismatch")].filter(({ journey }) => {
    const tickAt = journey.sandbox?.tickAt ?? null
    return tickAt !== null && dueMessage(journey, tickAt)?._tag === "SandboxTick"
  })
  expect(states.length).toBeGreaterThan(0)
  for (const reached of states) expectAsLive(reached, { _tag: "SandboxTick" })
})

it("no simulated handover is created and over at the same time", () => {
  for (const reached of active) {
    const message = { _tag: "Simulate", event: "delivery.expired" } as const
    for (const { body, type } of told(reached.journey, message, reached.now + second).events) {
      if (type === "delivery.created") expect(body, described(reached)).not.toMatch(/EXPIRED|CANCELLED|COMPLETED/)
    }
  }
})
