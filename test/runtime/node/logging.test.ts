/** Lines of the log as programs read them. */
import { Effect, Logger } from "effect"
import { expect, it } from "vitest"
import { jsonLine } from "../../../src/runtime/node/logging.ts"

const linesOf = async (effect: Effect.Effect<void>): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const lines: Array<Record<string, unknown>> = []
  const kept = Logger.map(jsonLine, (line) => void lines.push(JSON.parse(line) as Record<string, unknown>))
  await Effect.runPromise(Effect.provide(effect, Logger.layer([kept])))
  return lines
}

it("a line written in a span carries the ids of its trace and span", async () => {
  const told = Effect.flatMap(Effect.currentSpan, ({ spanId, traceId }) =>
    Effect.logInfo("within", { ids: [traceId, spanId] })
  )
  const [line] = await linesOf(Effect.orDie(Effect.withSpan(told, "test")))
  expect(line?.["message"]).toEqual(["within", { ids: [line?.["trace_id"], line?.["span_id"]] }])
  expect(line?.["trace_id"]).toMatch(/^[0-9a-f]{32}$/)
})

it("a line written outside a span, or without a tracer, carries no ids", async () => {
  const told = Effect.logInfo("without")
  const untraced = Effect.withTracerEnabled(Effect.withSpan(told, "test"), false)
  for (const line of await linesOf(Effect.andThen(told, untraced))) {
    expect(Object.keys(line).toSorted()).toEqual(["annotations", "fiberId", "level", "message", "spans", "timestamp"])
  }
})
