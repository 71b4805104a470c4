/**
 * Effect Cluster writes down some of its numbers outside of any service's registry, in the process's own. They are shown
 * from there; what it registers where it should is left alone.
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
