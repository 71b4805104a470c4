import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { DueDelivery } from "../../../../src/actors/webhook/actor/DeliveryStore.ts"
import { Hand } from "../../../../src/actors/webhook/actor/DeliveryBuffer.ts"

const delivery = (journeyId: string, sequence: number, attempts = 0): DueDelivery => ({
  eventId: `${journeyId}-${sequence}`,
  dueAt: sequence,
  type: "journey.created",
  body: "{}",
  createdAt: 0,
  traceparent: null,
  journeyId,
  sequence,
  attempts,
  tries: attempts,
  trigger: "SCHEDULE"
})

const taken = (hand: Hand): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (let next = hand.take(); next !== null; next = hand.take()) all.push(next.eventId)
  return all
}

const handOf = (...deliveries: ReadonlyArray<DueDelivery>): Hand => {
  const hand = new Hand()
  for (const one of deliveries) hand.put(one)
  return hand
}

describe("a hand", () => {
  test("gives first attempts of one journey one at a time, and those of others meanwhile", () => {
    const hand = handOf(delivery("a", 1), delivery("a", 2), delivery("b", 1), delivery("a", 3))
    expect(taken(hand)).toEqual(["a-1", "b-1"])
    hand.ended(delivery("a", 1))
    expect(taken(hand)).toEqual(["a-2"])
    hand.ended(delivery("b", 1))
    expect(taken(hand)).toEqual([])
    hand.ended(delivery("a", 2))
    expect(taken(hand)).toEqual(["a-3"])
  })

  test("lets retries pass and wait for nothing", () => {
    const hand = handOf(delivery("a", 1), delivery("a", 2, 1), delivery("a", 3, 4), delivery("a", 4))
    expect(taken(hand)).toEqual(["a-1", "a-2", "a-3"])
    hand.ended(delivery("a", 2, 1))
    expect(taken(hand)).toEqual([])
  })

  test("holds a delivery once, until what became of it is in the log", () => {
    const hand = handOf(delivery("a", 1), delivery("a", 1))
    expect(taken(hand)).toEqual(["a-1"])
    hand.ended(delivery("a", 1))
    hand.put(delivery("a", 1))
    expect(taken(hand)).toEqual([])
    hand.release("a-1")
    hand.put(delivery("a", 1, 1))
    expect(taken(hand)).toEqual(["a-1"])
  })

  test("forgets what was not sent, and nothing else", () => {
    const hand = handOf(delivery("a", 1), delivery("a", 2), delivery("b", 1))
    hand.take()
    hand.drop()
    expect([hand.has("a-1"), hand.has("a-2"), hand.has("b-1"), hand.waiting, hand.underway]).toEqual([
      true,
      false,
      false,
      0,
      1
    ])
    hand.put(delivery("a", 2))
    expect(taken(hand)).toEqual([])
    hand.ended(delivery("a", 1))
    expect(taken(hand)).toEqual(["a-2"])
  })

  test("forgets a turn that has come and was not used", () => {
    const hand = handOf(delivery("a", 1), delivery("a", 2))
    hand.take()
    hand.ended(delivery("a", 1))
    hand.drop()
    hand.put(delivery("a", 2))
    expect(taken(hand)).toEqual(["a-2"])
  })

  test("gives everything exactly once and each journey in order, whatever happens in between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(4), fc.constantFrom("end", "take", "drop", "end", "take")), { maxLength: 200 }),
        (script) => {
          const hand = new Hand()
          const events = [1, 1, 1, 1, 1]
          const all: Array<DueDelivery> = []
          const underway: Array<DueDelivery> = []
          const given: Array<DueDelivery> = []
          const take = () => {
            const next = hand.take()
            if (next === null) return false
            underway.push(next)
            given.push(next)
            return true
          }
          const end = () => {
            const one = underway.shift()
            if (one === undefined) return
            hand.ended(one)
            hand.release(one.eventId)
          }
          const putAll = () => all.filter((one) => !given.includes(one)).forEach((one) => hand.put(one))
          for (const act of script) {
            if (typeof act === "number") {
              all.push(delivery(`j${act}`, events[act]!++))
              hand.put(all.at(-1)!)
            } else if (act === "take") take()
            else if (act === "end") end()
            else {
              hand.drop()
              putAll()
            }
            const journeys = underway.map(({ journeyId }) => journeyId)
            expect(new Set(journeys).size).toBe(journeys.length)
          }
          while (given.length < all.length) {
            if (!take()) expect(underway.length).toBeGreaterThan(0)
            end()
          }
          expect(new Set(given).size).toBe(given.length)
          for (const [, ofJourney] of Map.groupBy(given, ({ journeyId }) => journeyId)) {
            expect(ofJourney.map(({ sequence }) => sequence)).toEqual(ofJourney.map((_, at) => at + 1))
          }
          while (underway.length > 0) end()
          expect([hand.waiting, hand.underway]).toEqual([0, 0])
        }
      )
    )
  })
})
