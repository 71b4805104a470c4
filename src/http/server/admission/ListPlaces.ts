/**
 * Shares the reading of lists fairly. A list counts and sorts, so it costs the database many times what a journey costs, and all
 * requests of a node use a few connections. Few lists are therefore read at once: companies take turns, and live work comes before
 * test work (`kernel/FairQueue.ts`). What is not a list never waits here.
 */
import { Context, Effect, Layer } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { makeFairQueue, QueueFull, type FairQueue, type FairQueueOptions } from "../../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { CaseQuery } from "../../../schema/review/CaseFile.ts"
import { httpLimits } from "../limits.ts"
import { unavailable, type Problem } from "../answers/problems.ts"

const { listsAtOnce, longestListWait, mostListsWaiting, mostListsWaitingOfOne } = httpLimits

/** How a node shares its places for lists: as its limits say, unless a test waits longer. */
export const SharingOfLists = Context.Reference<FairQueueOptions>("journeys/http/SharingOfLists", {
  defaultValue: () => ({
    places: listsAtOnce,
    mostWaitingOfOne: mostListsWaitingOfOne,
    mostWaiting: mostListsWaiting,
    longestWait: longestListWait
  })
})

export const CurrentListPlaces = Context.Reference<FairQueue>("journeys/http/CurrentListPlaces", {
  defaultValue: () => makeFairQueue(SharingOfLists.defaultValue())
})

/** Places of this node, with their metric. */
export const layer: Layer.Layer<never> = Layer.effect(
  CurrentListPlaces,
  Effect.gen(function* () {
    const made = makeFairQueue(yield* SharingOfLists)
    const meter = yield* currentMeter
    yield* meter.read("journeys_lists_waiting", {}, made.waiting)
    return made
  })
)

/**
 * Runs what an endpoint does in a place for lists if the endpoint is a list, which is what has a query other than the reason of
 * a look: a look at a video that is read for it takes seconds, and would keep the place from lists. Fails with
 * TEMPORARILY_UNAVAILABLE where too many lists of the same company, or of all of them, wait already, and where no turn came in time.
 */
export const inListPlace = <A, E, R>(
  { query }: Pick<HttpApiEndpoint.Top, "query">,
  answer: Effect.Effect<A, E, R>
): Effect.Effect<A, E | Problem, R> =>
  query === undefined || query.ast === CaseQuery.ast
    ? answer
    : Effect.flatMap(CurrentListPlaces, ({ run }) =>
        Effect.catchIf(
          run(answer),
          (failure) => failure instanceof QueueFull,
          () => Effect.fail(unavailable())
        )
      )
