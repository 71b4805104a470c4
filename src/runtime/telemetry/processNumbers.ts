/** Numbers about this process: memory, CPU time, and how long the event loop keeps everybody waiting. */
import { Clock, Effect, Layer } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { telemetryLimits } from "./limits.ts"

const { eventLoopEveryMillis: resolution } = telemetryLimits

const nanosPerSecond = 1e9
const microsPerSecond = 1e6

/** The delay includes the interval of the timer that measures it. An empty histogram says NaN. */
const seconds = (nanos: number): number => Math.max(0, (nanos || 0) / nanosPerSecond - resolution / 1000)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const meter = yield* currentMeter
    const now = yield* Clock.currentTimeMillis
    meter.set("process_start_time_seconds", {}, now / 1000 - process.uptime())
    yield* meter.read("process_resident_memory_bytes", {}, () => process.memoryUsage.rss())
    yield* meter.read("process_cpu_seconds_total", {}, () => {
      const { system, user } = process.cpuUsage()
      return (system + user) / microsPerSecond
    })
    const delay = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    yield* meter.read("journeys_event_loop_delay_p99_seconds", {}, () => seconds(delay.percentile(99)))
    yield* meter.read("journeys_event_loop_delay_max_seconds", {}, () => {
      const longest = seconds(delay.max)
      // This is the last of the two to be read, so the next measurement begins here.
      delay.reset()
      return longest
    })
  })
)
