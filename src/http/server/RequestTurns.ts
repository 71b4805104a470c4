/**
 * The order in which callers' requests begin. The event loop hands over all requests that have arrived before it turns to anything else:
 * where one company sends a hundred starts at once, an answer that is ready for another company waits until each of them has
 * been read, judged and sealed. So few requests begin in one turn of the loop. Companies take turns, and live work comes before test
 * work (`kernel/FairQueue.ts`). A request that has begun keeps no place, whatever it waits for.
 */
import { Context, Effect, Layer } from "effect"
import { makeFairQueue } from "../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { httpLimits } from "./limits.ts"
import { unavailable, type Problem } from "./problems.ts"

const { changesPerTurn, mostRequestsWaiting, readsPerTurn } = httpLimits

/** Does something once, after the loop has looked at all connections. A test makes the turns by hand. */
type NextTurn = (turn: () => void) => unknown
export const NextTurnOfLoop = Context.Reference<NextTurn>("journeys/http/NextTurnOfLoop", {
  defaultValue: () => setImmediate
})

interface Turns {
  /** Does the work in this turn of the loop or in a later one. Fails with TEMPORARILY_UNAVAILABLE where too much waits already. */
  readonly inTurn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Problem, R>
  readonly waiting: () => number
}

export const makeTurns = (perTurn: number, nextTurn: NextTurn): Turns => {
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
  return { inTurn: (work) => Effect.andThen(place, work), waiting: queue.waiting }
}

/** The turns of requests that change something, and of those that read. */
interface RequestTurns {
  readonly changes: Turns
  readonly reads: Turns
}

const makeRequestTurns = (nextTurn: NextTurn): RequestTurns => ({
  changes: makeTurns(changesPerTurn, nextTurn),
  reads: makeTurns(readsPerTurn, nextTurn)
})

export const CurrentRequestTurns = Context.Reference<RequestTurns>("journeys/http/CurrentRequestTurns", {
  defaultValue: () => makeRequestTurns(setImmediate)
})

/** The turns of this node, with their metric. */
export const layer: Layer.Layer<never> = Layer.effect(
  CurrentRequestTurns,
  Effect.gen(function* () {
    const made = makeRequestTurns(yield* NextTurnOfLoop)
    const meter = yield* currentMeter
    yield* meter.read("journeys_requests_waiting", {}, () => made.changes.waiting() + made.reads.waiting())
    return made
  })
)

/** Answers a request of this method in its turn. */
export const inTurnOf = <A, E, R>(method: string, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E | Problem, R> =>
  Effect.flatMap(CurrentRequestTurns, ({ changes, reads }) => (method === "GET" ? reads : changes).inTurn(answer))
