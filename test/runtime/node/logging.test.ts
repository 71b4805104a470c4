/** Lines of the log as programs read them. */
import { Cause, Effect, Logger } from "effect"
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

it("a line is one line with its time in UTC, whatever is said in it", async () => {
  const lines: Array<string> = []
  const kept = Logger.map(jsonLine, (line) => void lines.push(line))
  const forged = 'somebody\r\n{"level":"INFO","message":"forged"}\u2028'
  await Effect.runPromise(Effect.provide(Effect.logInfo(forged, { who: forged }), Logger.layer([kept])))
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toMatch(/[\r\n]/)
  const { message, timestamp } = JSON.parse(lines[0] ?? "") as Record<string, unknown>
  expect(message).toEqual([forged, { who: forged }])
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

it("a cause that is logged without words gets some: who reads the messages alone would see nothing", async () => {
  const [line] = await linesOf(Effect.logError(Cause.die("the other node is gone")))
  expect(line?.["message"]).toBe("Something failed: the cause says what")
  expect(line?.["cause"]).toContain("the other node is gone")
})
