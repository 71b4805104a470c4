/**
 * The order in which requests begin. The event loop hands over all requests that have arrived before it turns to anything else:
 * where one company sends a hundred starts at once, an answer that is ready for another company waits until each of them has
 * been read, judged and sealed. So few requests begin in one turn of the loop. Companies take turns, and live work comes before test
 * work (`kernel/FairQueue.ts`). A request that has begun keeps no place, whatever it waits for. A request takes its turn once it is
 * known who asks: callers, customers, members of a team and the operator.
 *
 * A company of which many requests wait (a crowd) leaves a part of the loop's time to others, as long as another company asks for
 * little: its next requests begin when the loop has been idle for that part since its last ones began. A loop that is never idle makes
 * every step of everybody's request wait, and a start has five of them. Where nobody else asks, a crowd has the whole loop, and so
 * have crowds of several companies among themselves.
 */
import { Context, Effect, Layer } from "effect"
import { makeFairQueue } from "../../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { CurrentWorkFor, partyOf } from "../../../actors/kernel/WorkFor.ts"
import { httpLimits } from "../limits.ts"
import { unavailable, type Problem } from "../answers/problems.ts"

const { changesPerTurn, mostRequestsWaiting, pagesPerTurn, readsPerTurn } = httpLimits
const { crowd, longestCrowdPause, lookAgainAfter, othersAskedWithin, shareOfCrowds } = httpLimits

/** The event loop, as far as turns depend on it. A test makes the turns by hand. All times are in milliseconds. */
export interface Loop {
  /** Does something once, after the loop has looked at all connections. */
  readonly inNextTurn: (turn: () => void) => unknown
  readonly after: (millis: number, turn: () => void) => unknown
  readonly now: () => number
  /** Begins to measure, and answers with what says which part of the time since then the loop was busy, from 0 to 1. */
  readonly measureBusy: () => () => number
}

const nodeLoop: Loop = {
  inNextTurn: setImmediate,
  after: (millis, turn) => Effect.runFork(Effect.delay(Effect.sync(turn), millis)),
  now: () => performance.now(),
  measureBusy: () => {
    const begun = performance.eventLoopUtilization()
    return () => performance.eventLoopUtilization(begun).utilization
  }
}
export const CurrentLoop = Context.Reference<Loop>("journeys/http/CurrentLoop", { defaultValue: () => nodeLoop })

/**
 * Remembers which two companies asked for little last, and when. Requests of a crowd begin, are written together and come again
 * together: who was a crowd of late has nothing waiting for a moment, and asks for much all the same.
 */
const makeLittleAsked = (now: () => number) => {
  /** When each was seen last, in this order. */
  const crowds = new Map<string, number>()
  let last = { party: "", at: Number.NEGATIVE_INFINITY }
  let before = last
  const isOfLate = (at: number): boolean => now() - at < othersAskedWithin
  const wasCrowd = (party: string): boolean => {
    for (const [other, at] of crowds) {
      if (isOfLate(at)) break
      crowds.delete(other)
    }
    return crowds.has(party)
  }
  return {
    note: (party: string, waiting: number): void => {
      if (waiting >= crowd) {
        crowds.delete(party)
        crowds.set(party, now())
      } else if (!wasCrowd(party)) {
        if (party !== last.party) before = last
        last = { party, at: now() }
      }
    },
    /** Whether another company than this one has asked for little of late. */
    byOthersThan: (party: string): boolean => {
      const { at } = last.party === party ? before : last
      return isOfLate(at)
    }
  }
}
type LittleAsked = ReturnType<typeof makeLittleAsked>

/** Whether crowds have had their part of the loop for now. They never pause for longer than `longestCrowdPause`. */
const makeCrowdPause = ({ measureBusy, now }: Loop) => {
  let busy = measureBusy()
  let begun = now()
  return {
    isOn: () => busy() > shareOfCrowds && now() - begun < longestCrowdPause,
    beginAgain: (): void => {
      busy = measureBusy()
      begun = now()
    }
  }
}

interface Turns {
  /** Waits until the request may begin. Fails with TEMPORARILY_UNAVAILABLE where too many wait already. */
  readonly take: Effect.Effect<void, Problem>
  readonly waiting: () => number
}

export const makeTurns = (perTurn: number, loop: Loop, littleAsked: LittleAsked = makeLittleAsked(loop.now)): Turns => {
  const pause = makeCrowdPause(loop)
  /** Of this turn: whether a crowd was let in, and whether crowds pause. */
  let isCrowdIn = false
  let isPause = false
  const queue = makeFairQueue({
    places: perTurn,
    mostWaitingOfOne: mostRequestsWaiting,
    mostWaiting: mostRequestsWaiting,
    mayGo: (party, waiting) => {
      if (waiting < crowd) return true
      if (isPause && littleAsked.byOthersThan(party)) return false
      isCrowdIn = true
      return true
    }
  })
  let begun = 0
  let isLookAhead = false

  const turn = (): void => {
    // Each place that is given back may go to a request that begins within the call, and counts for the next turn.
    const over = begun
    begun = 0
    isCrowdIn = false
    isPause = queue.waiting() > 0 && pause.isOn()
    for (let at = 0; at < over; at += 1) queue.releaseUnsafe()
    queue.handOutUnsafe()
    if (isCrowdIn) pause.beginAgain()
    if (begun === 0 && queue.waiting() > 0 && !isLookAhead) {
      isLookAhead = true
      loop.after(lookAgainAfter, lookAgain)
    }
  }
  const lookAgain = (): void => {
    isLookAhead = false
    // Otherwise a turn is ahead anyway.
    if (begun === 0) turn()
  }
  const begin = Effect.sync(() => {
    begun += 1
    if (begun === 1) loop.inNextTurn(turn)
  })
  const noteAsked = Effect.map(CurrentWorkFor, (work) => {
    const party = partyOf(work)
    littleAsked.note(party, queue.waitingOf(party))
  })
  // Nothing may come between the place and its count, or the place would be lost.
  const taken = Effect.uninterruptibleMask((restore) => Effect.andThen(restore(queue.take), begin))
  return { take: Effect.andThen(noteAsked, Effect.mapError(taken, unavailable)), waiting: queue.waiting }
}

/** What operations change, what they read, and pages with their forms. */
type RequestTurns = Readonly<Record<"changes" | "reads" | "pages", Turns>>

const makeRequestTurns = (loop: Loop): RequestTurns => {
  const littleAsked = makeLittleAsked(loop.now)
  return {
    changes: makeTurns(changesPerTurn, loop, littleAsked),
    reads: makeTurns(readsPerTurn, loop, littleAsked),
    pages: makeTurns(pagesPerTurn, loop, littleAsked)
  }
}

export const CurrentRequestTurns = Context.Reference<RequestTurns>("journeys/http/CurrentRequestTurns", {
  defaultValue: () => makeRequestTurns(nodeLoop)
})

/** The turns of this node, with their metric. */
export const layer: Layer.Layer<never> = Layer.effect(
  CurrentRequestTurns,
  Effect.gen(function* () {
    const made = makeRequestTurns(yield* CurrentLoop)
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
