/** The order in which the deliveries of an endpoint may be sent, and what the buffer forgets and keeps. */
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  dropWaiting,
  emptyBuffer,
  endAttempt,
  holds,
  put,
  releaseRecorded,
  take,
  takeDirectly,
  unrecordedIn,
  type DeliveryBuffer
} from "../../../../src/actors/webhook/rules/DeliveryBuffer.ts"
import type { DueWebhookDelivery } from "../../../../src/actors/webhook/rules/DueWebhookDelivery.ts"
import { EventId, JourneyId } from "../../../../src/schema/ids.ts"

const delivery = (journeyId: string, sequence: number, attempts = 0): DueWebhookDelivery => ({
  eventId: EventId.make(`${journeyId}-${sequence}`),
  dueAt: sequence,
  type: "journey.created",
  body: "{}",
  createdAt: 0,
  traceparent: null,
  journeyId: JourneyId.make(journeyId),
  sequence,
  attempts,
  tries: attempts,
  trigger: "SCHEDULE"
})

const bufferOf = (...deliveries: ReadonlyArray<DueWebhookDelivery>): DeliveryBuffer => put(emptyBuffer, deliveries)

/** Takes all that may go now: the events, and the buffer after it. */
const takeAll = (before: DeliveryBuffer): readonly [ReadonlyArray<string>, DeliveryBuffer] => {
  const events: Array<string> = []
  let buffer = before
  for (;;) {
    const taken = take(buffer)
    buffer = taken.buffer
    if (taken.delivery === null) return [events, buffer]
    events.push(taken.delivery.eventId)
  }
}

describe("the buffer", () => {
  test("gives first attempts of one journey one at a time, and those of other journeys meanwhile", () => {
    const [first, one] = takeAll(bufferOf(delivery("a", 1), delivery("a", 2), delivery("b", 1), delivery("a", 3)))
    expect(first).toEqual(["a-1", "b-1"])
    const [second, two] = takeAll(endAttempt(one, delivery("a", 1)))
    expect(second).toEqual(["a-2"])
    const [none, three] = takeAll(endAttempt(two, delivery("b", 1)))
    expect(none).toEqual([])
    expect(takeAll(endAttempt(three, delivery("a", 2)))[0]).toEqual(["a-3"])
  })

  test("lets retries pass, which wait for nothing", () => {
    const [first, buffer] = takeAll(
      bufferOf(delivery("a", 1), delivery("a", 2, 1), delivery("a", 3, 4), delivery("a", 4))
    )
    expect(first).toEqual(["a-1", "a-2", "a-3"])
    expect(takeAll(endAttempt(buffer, delivery("a", 2, 1)))[0]).toEqual([])
  })

  test("keeps no first attempt waiting for a retry of its journey", () => {
    const [first] = takeAll(bufferOf(delivery("a", 1, 1), delivery("a", 2), delivery("a", 3)))
    expect(first).toEqual(["a-1", "a-2"])
  })

  test("gives no test past a first attempt of its journey whose turn has come", () => {
    const [, taken] = takeAll(bufferOf(delivery("a", 1), delivery("a", 2)))
    const buffer = endAttempt(taken, delivery("a", 1))
    expect(takeDirectly(buffer, delivery("a", 3))).toBeNull()
    expect(takeDirectly(buffer, delivery("b", 1))).not.toBeNull()
  })

  test("holds a delivery once, until its attempt is recorded", () => {
    const [first, buffer] = takeAll(bufferOf(delivery("a", 1), delivery("a", 1)))
    expect(first).toEqual(["a-1"])
    const again = put(endAttempt(buffer, delivery("a", 1)), [delivery("a", 1)])
    expect(takeAll(again)[0]).toEqual([])
    expect(takeAll(put(releaseRecorded(again, [EventId.make("a-1")]), [delivery("a", 1, 1)]))[0]).toEqual(["a-1"])
  })

  test("lets go of no delivery in flight when a record of it arrives", () => {
    const [, buffer] = takeAll(bufferOf(delivery("a", 1)))
    expect(holds(releaseRecorded(buffer, [EventId.make("a-1")]), EventId.make("a-1"))).toBe(true)
  })

  test("forgets what was not taken, and nothing else", () => {
    const dropped = dropWaiting(take(bufferOf(delivery("a", 1), delivery("a", 2), delivery("b", 1))).buffer)
    const held = ["a-1", "a-2", "b-1"].map((eventId) => holds(dropped, EventId.make(eventId)))
    expect([held, dropped.waiting, unrecordedIn(dropped)]).toEqual([[true, false, false], 0, 1])
    const [none, buffer] = takeAll(put(dropped, [delivery("a", 2)]))
    expect(none).toEqual([])
    expect(takeAll(endAttempt(buffer, delivery("a", 1)))[0]).toEqual(["a-2"])
  })

  test("forgets a first attempt whose turn has come and was not used", () => {
    const { buffer } = take(bufferOf(delivery("a", 1), delivery("a", 2)))
    const dropped = dropWaiting(endAttempt(buffer, delivery("a", 1)))
    expect(takeAll(put(dropped, [delivery("a", 2)]))[0]).toEqual(["a-2"])
  })

  test("gives a delivery past the queue only when it is not held and its journey has no first attempt in flight", () => {
    const { buffer } = take(bufferOf(delivery("a", 1), delivery("b", 1)))
    expect([delivery("a", 1), delivery("a", 2), delivery("b", 1)].map((one) => takeDirectly(buffer, one))).toEqual([
      null,
      null,
      null
    ])
    const direct = takeDirectly(buffer, delivery("c", 1))
    expect(direct !== null && takeAll(put(direct, [delivery("c", 2)]))[0]).toEqual(["b-1"])
    expect(takeDirectly(buffer, delivery("ping", 0))).not.toBeNull()
  })

  test("gives everything exactly once and each journey in order, whatever happens in between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(4), fc.constantFrom("end", "take", "drop", "end", "take")), { maxLength: 200 }),
        (script) => {
          let buffer = emptyBuffer
          const events = [1, 1, 1, 1, 1]
          const all: Array<DueWebhookDelivery> = []
          const inFlight: Array<DueWebhookDelivery> = []
          const given: Array<DueWebhookDelivery> = []
          const takeOne = () => {
            const taken = take(buffer)
            buffer = taken.buffer
            if (taken.delivery === null) return false
            inFlight.push(taken.delivery)
            given.push(taken.delivery)
            return true
          }
          const endOne = () => {
            const one = inFlight.shift()
            if (one !== undefined) buffer = releaseRecorded(endAttempt(buffer, one), [one.eventId])
          }
          for (const act of script) {
            if (typeof act === "number") {
              all.push(delivery(`j${act}`, events[act]!++))
              buffer = put(buffer, [all.at(-1)!])
            } else if (act === "take") takeOne()
            else if (act === "end") endOne()
            else {
              buffer = put(
                dropWaiting(buffer),
                all.filter((one) => !given.includes(one))
              )
            }
            const journeys = inFlight.map(({ journeyId }) => journeyId)
            expect(new Set(journeys).size).toBe(journeys.length)
            expect(buffer.waiting).toBe(all.length - given.length)
          }
          while (given.length < all.length) {
            if (!takeOne()) expect(inFlight.length).toBeGreaterThan(0)
            endOne()
          }
          expect(new Set(given).size).toBe(given.length)
          for (const [, ofJourney] of Map.groupBy(given, ({ journeyId }) => journeyId)) {
            expect(ofJourney.map(({ sequence }) => sequence)).toEqual(ofJourney.map((_, at) => at + 1))
          }
          while (inFlight.length > 0) endOne()
          expect([buffer.waiting, unrecordedIn(buffer)]).toEqual([0, 0])
        }
      )
    )
  })
})
