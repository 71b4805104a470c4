/**
 * The memory in which lines of the request log wait until they are written together. It is bounded: a line that finds it full, and
 * lines whose write fails, are dropped, counted and reported. Where lines are written to is not known here.
 */
import { Effect, type Scope } from "effect"
import type { RequestLine } from "../../../actors/company/RequestLog.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { requestLogLimits } from "../../../schema/company/limits.ts"
import { requestLogStoreLimits } from "../kernel/limits.ts"

/** Notes a line, at once. What waits is written every second, and once more when the scope closes. */
export const requestLogBuffer = <E>(
  write: (lines: ReadonlyArray<RequestLine>) => Effect.Effect<unknown, E>
): Effect.Effect<(line: RequestLine) => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const meter = yield* currentMeter
    const waiting: Array<RequestLine> = []
    let dropped = 0

    const drop = (lines: number): void => {
      dropped += lines
      meter.count("journeys_request_log_dropped_total", {}, lines)
    }
    const writeSome = Effect.suspend(() => {
      const lines = waiting.splice(0, requestLogStoreLimits.linesAtOnce)
      return Effect.catchCause(write(lines), (cause) =>
        Effect.andThen(
          Effect.sync(() => drop(lines.length)),
          Effect.logDebug("Lines of the request log could not be written", cause)
        )
      )
    })
    const flush = Effect.gen(function* () {
      while (waiting.length > 0) yield* writeSome
      if (dropped === 0) return
      const lines = dropped
      dropped = 0
      yield* Effect.logWarning("Lines of the request log were dropped", { lines })
    })
    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(requestLogLimits.writtenEvery), flush)))
    return (line) => {
      if (waiting.length < requestLogStoreLimits.mostWaiting) waiting.push(line)
      else drop(1)
    }
  })
