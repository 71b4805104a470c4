/** Spans where somebody traces, and none where nobody does. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { whenTraced } from "../../../src/actors/kernel/Trace.ts"

const nameOfSpan = whenTraced<string, never, never>(Effect.withSpan("Postman.send"))(
  Effect.match(Effect.currentSpan, { onFailure: () => "no span", onSuccess: ({ name }) => name })
)

describe("work that is observed when somebody traces", () => {
  it.effect("runs in its span with a tracer", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* nameOfSpan, "Postman.send")
    })
  )

  it.effect("runs without a span when tracing is off", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.provideService(nameOfSpan, References.TracerEnabled, false), "no span")
    })
  )
})
