/** The deliveries of the client's test kit: genuine to the verifier, stale when they are made so, disturbed as a seed says. */
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { EventId } from "../../../src/schema/ids.ts"
import {
  attemptSignature,
  fixedWebhookHeaders,
  webhookHeaders
} from "../../../src/actors/webhook/rules/webhookHeaders.ts"
import { signingKey } from "../../../src/actors/webhook/rules/signature.ts"
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

  it("has the headers of a delivery of the service, with the same values", () => {
    const at = Date.UTC(2026, 0, 15)
    const { body, headers } = signedDelivery(event, "whsec_one", { at, sequence: 7 })
    const signature = attemptSignature(body, [signingKey("whsec_one")], at)
    const about = { eventId: EventId.make(event.id), sequence: 7, type: event.type }
    const real = Object.entries({ ...fixedWebhookHeaders, ...webhookHeaders(about, at, signature) })
    expect(headers).toEqual(Object.fromEntries(real.map(([name, value]) => [name.toLowerCase(), value])))
  })

  it("is signed by the time of the wall unless told otherwise, also after the machine has slept", () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 15), toFake: ["Date"] })
    try {
      const { headers } = signedDelivery(event, "whsec_one")
      expect(headers["service-timestamp"]).toBe(String(Date.UTC(2026, 0, 15) / 1000))
    } finally {
      vi.useRealTimers()
    }
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
