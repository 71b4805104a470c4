/**
 * Shows the numbers that Effect Cluster keeps in the registry of the process instead of the service's own registry. The
 * numbers that it registers in the right place are left alone.
 */
import { Context, Effect, Layer, Metric } from "effect"
import { ClusterMetrics } from "effect/cluster"

const outside = [
  ClusterMetrics.runners,
  ClusterMetrics.runnersHealthy,
  ClusterMetrics.shards,
  ClusterMetrics.singletons
] as const

const ignore = () => {}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context()
    for (const metric of outside) {
      const get = () => metric.valueUnsafe(Context.empty())
      yield* Effect.acquireRelease(
        Effect.sync(() => Metric.registerUnsafe(metric, context, { get, update: ignore, modify: ignore })),
        (registration) => Effect.sync(() => registration.remove())
      )
    }
  })
)
