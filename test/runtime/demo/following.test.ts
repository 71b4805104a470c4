/** Which endings the demo calls a failure: a demo that cannot fail proves nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { verifyWebhook } from "journeys/webhooks"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { journeysLater, startedJourneys } from "../../../src/http/documents/exampleJourneys.ts"
import type { DemoClient } from "../../../src/runtime/demo/DemoClient.ts"
import { followJourneys } from "../../../src/runtime/demo/following.ts"
import type { Arrival, Receiver } from "../../../src/runtime/demo/Receiver.ts"
import type { WebhookDeliveryResource } from "../../../src/schema/webhook/WebhookDelivery.ts"

const { completed } = journeysLater
const started = { ...startedJourneys.IDENTITY_DELIVERY, id: completed.id }

const arrivalOf = (type: string, journeyId: string): Extract<Arrival, { readonly _tag: "Taken" }> => {
  const data = { journeyId, journeyStatus: "COMPLETED" }
  const body = Buffer.from(JSON.stringify({ id: `event-${type}`, type, createdAt: completed.createdAt, data }))
  const signature = signatureHeader([signingKey("whsec_test")], 0, body)
  const event = verifyWebhook({ body, signature, secret: "whsec_test", now: 0 })
  return { _tag: "Taken", body, headers: { "service-event-sequence": "1" }, event }
}
const last = arrivalOf("journey.completed", completed.id)

const delivered: WebhookDeliveryResource = {
  id: last.event.id,
  type: "journey.completed",
  journeyId: completed.id,
  createdAt: completed.createdAt,
  status: "DELIVERED",
  nextAttemptAt: null,
  attempts: []
}

/** Follows one journey that is COMPLETED when it is read, for longer than the log is waited for. */
const followed = Effect.fnUntraced(function* (
  arrivals: ReadonlyArray<Arrival>,
  log: ReadonlyArray<WebhookDeliveryResource>
) {
  const queue = yield* Queue.unbounded<Arrival>()
  yield* Queue.offerAll(queue, arrivals)
  const receiver: Receiver = { url: "", arrivals: queue, trust: () => {}, judgeChanged: () => null }
  const client: Pick<DemoClient, "deliveries" | "get"> = {
    deliveries: Effect.succeed(log),
    get: () => Effect.succeed(completed)
  }
  const fiber = yield* Effect.forkChild(followJourneys(client, receiver, [["IDENTITY_DELIVERY", started]]))
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.await(fiber)
})

describe("following", () => {
  it.effect("ends well when the log and the arrivals agree, and counts an event that came twice once", () =>
    Effect.gen(function* () {
      const ended = yield* followed(
        [last, { ...last, _tag: "Repeated" }],
        [delivered, { ...delivered, journeyId: null }]
      )
      assert.deepStrictEqual(ended, Exit.succeed({ journeys: [completed], events: 1 }))
    })
  )

  const refused: Arrival = { _tag: "Refused", body: last.body, headers: {}, reason: "NO_MATCH" }
  for (const [ending, arrivals, log, message] of [
    ["a delivery was refused", [refused], [delivered], /refused a delivery: NO_MATCH/],
    ["an event is not delivered", [last], [{ ...delivered, status: "PENDING" }], /journey.completed .* is PENDING/],
    ["a recorded event did not arrive", [last], [delivered, { ...delivered, id: "other" }], /other did not arrive/],
    ["an event arrived that is not recorded", [last], [], /arrived but was not recorded/],
    ["another journey's event arrived", [arrivalOf("journey.created", "other")], [delivered], /event of journey other/]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Arrival>, ReadonlyArray<WebhookDeliveryResource>, RegExp]>) {
    it.effect(`fails when ${ending}`, () =>
      Effect.gen(function* () {
        const ended = yield* followed(arrivals, log)
        assert.match(Exit.isFailure(ended) ? String(ended.cause) : "it ended well", message)
      })
    )
  }
})
