/** The demo's receiver over HTTP: what it answers, and what it hands on. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { openReceiver } from "../../../src/runtime/demo/Receiver.ts"

const secret = "whsec_cmVjZWl2ZXI="
const body = JSON.stringify({ id: "event-1", type: "ping", data: { endpointId: "endpoint-1" } })

const deliver = (url: string, sent: string) =>
  Effect.promise(async () => {
    const signature = signatureHeader([signingKey(secret)], Math.floor(Date.now() / 1000), body)
    return (await fetch(url, { method: "POST", body: sent, headers: { "service-signature": signature } })).status
  })

describe("the demo's receiver", () => {
  it.live("takes an event once, refuses a wrong signature, and answers accordingly", () =>
    Effect.gen(function* () {
      const receiver = yield* openReceiver
      const early = yield* deliver(receiver.url, body)
      receiver.trust(secret)
      const statuses = [early]
      for (const sent of [`${body} `, body, body]) statuses.push(yield* deliver(receiver.url, sent))
      assert.deepStrictEqual(statuses, [400, 400, 204, 204])
      const arrivals = yield* Queue.takeAll(receiver.arrivals)
      const tags = arrivals.map((arrival) => (arrival._tag === "Refused" ? arrival.reason : arrival._tag))
      assert.deepStrictEqual(tags, ["NO_SECRET", "NO_MATCH", "Taken", "Repeated"])
    }).pipe(Effect.scoped)
  )

  it.live("refuses a copy of an accepted delivery with one changed bit", () =>
    Effect.gen(function* () {
      const receiver = yield* openReceiver
      receiver.trust(secret)
      yield* deliver(receiver.url, body)
      assert.strictEqual(receiver.judgeChanged(yield* Queue.take(receiver.arrivals)), "NO_MATCH")
    }).pipe(Effect.scoped)
  )
})
