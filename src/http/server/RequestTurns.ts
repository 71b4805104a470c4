/**
 * The order in which requests begin. The event loop hands over all requests that have arrived before it turns to anything else:
 * where one company sends a hundred starts at once, an answer that is ready for another company waits until each of them has
 * been read, judged and sealed. So few requests begin in one turn of the loop. Companies take turns, and live work comes before test
 * work (`kernel/FairQueue.ts`). A request that has begun keeps no place, whatever it waits for. A request takes its turn once it is
 * known who asks: callers, customers, members of a team and the operator.
 */
import { Context, Effect, Layer } from "effect"
import { makeFairQueue } from "../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { httpLimits } from "./limits.ts"
import { unavailable, type Problem } from "./problems.ts"

const { changesPerTurn, mostRequestsWaiting, pagesPerTurn, readsPerTurn } = httpLimits

/** Does something once, after the loop has looked at all connections. A test makes the turns by hand. */
type NextTurn = (turn: () => void) => unknown
export const NextTurnOfLoop = Context.Reference<NextTurn>("journeys/http/NextTurnOfLoop", {
  defaultValue: () => setImmediate
})

interface Turns {
  /** Waits until the request may begin. Fails with TEMPORARILY_UNAVAILABLE where too many wait already. */
  readonly take: Effect.Effect<void, Problem>
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
  return { take: Effect.mapError(taken, unavailable), waiting: queue.waiting }
}

/** What operations change, what they read, and pages with their forms. */
type RequestTurns = Readonly<Record<"changes" | "reads" | "pages", Turns>>

const makeRequestTurns = (nextTurn: NextTurn): RequestTurns => ({
  changes: makeTurns(changesPerTurn, nextTurn),
  reads: makeTurns(readsPerTurn, nextTurn),
  pages: makeTurns(pagesPerTurn, nextTurn)
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
    const waiting = () => Object.values(made).reduce((all, turns) => all + turns.waiting(), 0)
    yield* meter.read("journeys_requests_waiting", {}, waiting)
    return made
  })
)

/** Waits for the turn of a request. Whose turn it is, `CurrentWorkFor` says. */
export const takeTurn = (kind: keyof RequestTurns): Effect.Effect<void, Problem> =>
  Effect.flatMap(CurrentRequestTurns, (turns) => turns[kind].take)

/** HEAD is answered as GET is, without the body, and changes nothing either (RFC 9110, 9.3.2). */
export const isChange = ({ method }: { readonly method: string }): boolean => method !== "GET" && method !== "HEAD"

/** Waits for the turn of a request to an operation. */
export const takeTurnOf = (request: { readonly method: string }) => takeTurn(isChange(request) ? "changes" : "reads")
