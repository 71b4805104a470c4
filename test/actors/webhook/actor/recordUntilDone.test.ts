/** The record of webhook attempts while the database is away: a store in memory that refuses, and a clock that the test holds. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { recordUntilDone } from "../../../../src/actors/webhook/actor/recordUntilDone.ts"
import type { WebhookAttemptOutcome } from "../../../../src/actors/webhook/rules/attemptOutcome.ts"
import type { WebhookDeliveryStore } from "../../../../src/actors/webhook/actor/WebhookDeliveryStore.ts"
import { EndpointId } from "../../../../src/schema/ids.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"

const endpointId = EndpointId.make("019bc0a1-7c00-7005-8000-000000000001")
// Only that the same attempts are handed over again matters here, not what they say.
const attempts = [{}] as unknown as ReadonlyArray<WebhookAttemptOutcome>

/** Takes the record only after it has refused it so many times. */
const storeRefusing = (times: number) => {
  const handed: Array<ReadonlyArray<WebhookAttemptOutcome>> = []
  const record = (outcomes: ReadonlyArray<WebhookAttemptOutcome>) =>
    Effect.suspend(() => {
      handed.push(outcomes)
      return handed.length <= times ? Effect.fail(new StoreUnavailable({ cause: "away" })) : Effect.void
    })
  return { handed, store: { record } as unknown as WebhookDeliveryStore["Service"] }
}

describe("an attempt that could not be recorded", () => {
  it.effect("is recorded again after a pause, however often that fails, and then no more", () =>
    Effect.gen(function* () {
      const { handed, store } = storeRefusing(3)
      const recording = yield* Effect.forkChild(recordUntilDone(store, endpointId)(attempts))
      for (let refused = 1; refused <= 3; refused++) {
        yield* TestClock.adjust(webhookLimits.recordRetryDelay)
        assert.strictEqual(handed.length, refused + 1)
      }
      yield* Fiber.join(recording)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(handed, [attempts, attempts, attempts, attempts])
    })
  )
})
