/**
 * The order in which callers' requests begin. The event loop hands over all requests that have arrived before it turns to anything else:
 * where one company sends thirty-two starts at once, an answer that is ready for another company waits until each of them has
 * been read, judged and sealed. So few requests begin in one turn of the loop. Companies take turns, and live work comes before test
 * work (`kernel/FairQueue.ts`). A request that has begun is never held up here, whatever it waits for: it keeps no place.
 */
import { Effect } from "effect"
import { makeFairQueue } from "../../actors/kernel/FairQueue.ts"
import { httpLimits } from "./limits.ts"
import { unavailable, type Problem } from "./problems.ts"

const { changesPerTurn, mostRequestsWaiting, readsPerTurn } = httpLimits

export interface RequestTurns {
  /** Does the work in this turn of the loop or in a later one. Fails with TEMPORARILY_UNAVAILABLE where too much waits already. */
  readonly inTurn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Problem, R>
}

/** `nextTurn` does something once, after the loop has looked at all connections. */
export const makeRequestTurns = (
  perTurn: number,
  nextTurn: (turn: () => void) => unknown = setImmediate
): RequestTurns => {
  const queue = makeFairQueue({
    places: perTurn,
    mostWaitingOfOne: mostRequestsWaiting,
    mostWaiting: mostRequestsWaiting
  })
  let begun = 0

  const turn = (): void => {
    // Each place that is given back may go to a request that begins within the call, and counts for the next turn.
    const over = begun
    begun = 0
    for (let at = 0; at < over; at += 1) queue.releaseUnsafe()
  }
  const begin = Effect.sync(() => {
    begun += 1
    if (begun === 1) nextTurn(turn)
  })
  // Nothing may come between the place and its count, or the place would be lost.
  const taken = Effect.uninterruptibleMask((restore) => Effect.andThen(restore(queue.take), begin))
  const place = Effect.mapError(taken, unavailable)
  return { inTurn: (work) => Effect.andThen(place, work) }
}

// The process has one event loop, so all its requests take turns together.
const changes = makeRequestTurns(changesPerTurn)
const reads = makeRequestTurns(readsPerTurn)

/** The turns of what a request of this method asks for. */
export const turnsOf = (method: string): RequestTurns => (method === "GET" ? reads : changes)
