/** The deliveries of the client's test kit: genuine to the verifier, stale when they are made so, disturbed as a seed says. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { verifyWebhook } from "../../../src/actors/webhook/verifier.js"
import { exampleLives } from "../../../src/runtime/client/generate/exampleLives.ts"
import { disturbed, signedDelivery } from "../../../src/runtime/client/lib/deliveries.ts"

const event = { id: "019bc0a1-7c00-7004-8000-000000000001", type: "journey.created" }

describe("a signed delivery", () => {
  it("is genuine, for each of its secrets", () => {
    const { body, headers } = signedDelivery(event, ["whsec_newer", "whsec_older"], { sequence: 1 })
    for (const secret of ["whsec_newer", "whsec_older"]) expect(verifyWebhook({ body, headers, secret })).toEqual(event)
    expect(headers["service-event-sequence"]).toBe("1")
  })

  it("is a replay when it was signed long ago", () => {
    const delivery = signedDelivery(event, "whsec_one", { at: Date.UTC(2026, 0, 15) })
    expect(() => verifyWebhook({ ...delivery, secret: "whsec_one" })).toThrow("a replay")
  })
})

it("disturbed events are all there, in an order that the seed says", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), fc.integer(), (events, seed) => {
      const order = disturbed(events, seed)
      expect(new Set(order)).toEqual(new Set(events))
      expect(disturbed(events, seed)).toEqual(order)
    })
  )
  const all = Array.from({ length: 20 }, (_, at) => at)
  expect(disturbed(all, 1)).not.toEqual(disturbed(all, 2))
  expect(disturbed(all, 1).length).toBeGreaterThan(all.length)
})

it("the example lives tell each of the events of a journey's story, under ids of their own", () => {
  const events = exampleLives().flatMap((life) => life.events as ReadonlyArray<typeof event>)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(new Set(events.map(({ type }) => type)).size).toBe(20)
})
