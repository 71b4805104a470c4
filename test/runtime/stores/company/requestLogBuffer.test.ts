/** What waits for the request log is bounded: a line too many and lines that cannot be written are dropped and counted. */
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import type { RequestLine } from "../../../../src/actors/company/RequestLog.ts"
import { requestLogLimits } from "../../../../src/schema/company/limits.ts"
import { requestLogStoreLimits } from "../../../../src/runtime/stores/kernel/limits.ts"
import { requestLogBuffer } from "../../../../src/runtime/stores/company/requestLogBuffer.ts"
import { ApiKeyId, CompanyId } from "../../../../src/schema/ids.ts"

const line: RequestLine = {
  requestId: "0198c0de-0000-7000-8000-000000000001",
  at: 0,
  companyId: CompanyId.make("0198c0de-0000-7000-8000-000000000002"),
  livemode: false,
  keyId: ApiKeyId.make("0198c0de-0000-7000-8000-000000000003"),
  route: "GET /api/v1/journeys",
  status: 200,
  code: null,
  fields: [],
  durationMillis: 1,
  journeyId: null,
  isReplay: false
}

/** Notes so many lines, lets a second pass, and says what was written and what the metric says was dropped. */
const noted = (count: number, answer: Effect.Effect<void, string>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const written: Array<number> = []
      const note = yield* requestLogBuffer((lines) =>
        Effect.andThen(
          Effect.sync(() => written.push(lines.length)),
          answer
        )
      )
      for (let at = 0; at < count; at += 1) note(line)
      yield* TestClock.adjust(requestLogLimits.writtenEvery)
      const metrics = yield* Metric.snapshot
      const dropped = metrics.find(({ id }) => id === "journeys_request_log_dropped_total")
      return { written, dropped: (dropped?.state as { readonly count: number } | undefined)?.count }
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

it("a full buffer drops what comes on top of it, and counts it", async () => {
  const { dropped, written } = await noted(requestLogStoreLimits.mostWaiting + 3, Effect.void)
  expect(written.reduce((sum, one) => sum + one, 0)).toBe(requestLogStoreLimits.mostWaiting)
  expect(Math.max(...written)).toBe(requestLogStoreLimits.linesAtOnce)
  expect(dropped).toBe(3)
})

it("lines that cannot be written are dropped and counted, and not tried again", async () => {
  const { dropped, written } = await noted(requestLogStoreLimits.linesAtOnce + 2, Effect.fail("away"))
  expect(written).toEqual([requestLogStoreLimits.linesAtOnce, 2])
  expect(dropped).toBe(requestLogStoreLimits.linesAtOnce + 2)
})
