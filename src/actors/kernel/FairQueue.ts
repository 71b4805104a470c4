/**
 * A few places for work that takes long, shared fairly. Companies take turns, so nobody waits behind all the work of another
 * company. Live work comes before test work, but a share of the turns is left to test work. A company that has
 * as much waiting as it may is refused itself; others are not. Who owns the queue may also let a company wait although a place
 * is free (`mayGo`). `WorkFor.ts` says for whom work is done.
 */
import { Deferred, Effect, Option, type Duration } from "effect"
import { queueLimits } from "./limits.ts"
import { CurrentWorkFor, partyOf, type WorkFor } from "./WorkFor.ts"

export interface FairQueueOptions {
  /** Work that runs at once. */
  readonly places: number
  /** Work of one company and mode that waits; the same for the work of nobody in particular. */
  readonly mostWaitingOfOne: number
  /** Work of one mode that waits in all. */
  readonly mostWaiting: number
  /** Without it work waits for as long as its turn takes. */
  readonly longestWait?: Duration.Duration
  /** Whether a company and mode with so much waiting may have a place now. Whoever says no asks again with `handOutUnsafe`. */
  readonly mayGo?: (party: string, waiting: number) => boolean
}

/** The work was not begun: too much of the same company, or of all of them, waits already, or its turn did not come in time. */
export class QueueFull {
  readonly _tag = "QueueFull"
}

type Waiter = Deferred.Deferred<void>

/** What waits in one mode. The companies stand in the order of their turns. */
const makeLine = ({ mayGo = () => true, mostWaiting, mostWaitingOfOne }: FairQueueOptions) => {
  const waiting = new Map<string, Array<Waiter>>()
  let count = 0
  const hasRoomFor = (party: string): boolean =>
    (waiting.get(party)?.length ?? 0) < mostWaitingOfOne && count < mostWaiting
  return {
    count: () => count,
    waitingOf: (party: string): number => waiting.get(party)?.length ?? 0,
    hasRoomFor,
    join: (party: string, waiter: Waiter): boolean => {
      const own = waiting.get(party) ?? []
      if (!hasRoomFor(party)) return false
      own.push(waiter)
      waiting.set(party, own)
      count += 1
      return true
    },
    leave: (party: string, waiter: Waiter): boolean => {
      const own = waiting.get(party) ?? []
      const at = own.indexOf(waiter)
      if (at < 0) return false
      own.splice(at, 1)
      if (own.length === 0) waiting.delete(party)
      count -= 1
      return true
    },
    /** The first of the company whose turn it is. Its next turn comes after those of all others. */
    next: (): Waiter | undefined => {
      for (const [party, own] of waiting) {
        if (!mayGo(party, own.length)) continue
        waiting.delete(party)
        const first = own.shift()
        if (own.length > 0) waiting.set(party, own)
        count -= 1
        return first
      }
      return undefined
    }
  }
}

/** What waits in both modes, in the order of the turns. */
const makeLines = (options: FairQueueOptions) => {
  const live = makeLine(options)
  const test = makeLine(options)
  let liveTurns = 0

  const nextOfTest = (): Waiter | undefined => {
    const waiter = test.next()
    if (waiter !== undefined) liveTurns = 0
    return waiter
  }
  const nextOfLive = (): Waiter | undefined => {
    const waiter = live.next()
    if (waiter !== undefined && test.count() > 0) liveTurns += 1
    return waiter
  }
  return {
    of: ({ livemode }: WorkFor) => (livemode ? live : test),
    count: () => live.count() + test.count(),
    waitingOf: (party: string) => live.waitingOf(party) + test.waitingOf(party),
    next: (): Waiter | undefined =>
      liveTurns >= queueLimits.liveTurnsForOneTestTurn ? (nextOfTest() ?? nextOfLive()) : (nextOfLive() ?? nextOfTest())
  }
}

export interface FairQueue {
  /** Waits for a place and runs the work there. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | QueueFull, R>
  /** Waits for a place. Whoever has taken one gives it back with `release`. */
  readonly take: Effect.Effect<void, QueueFull>
  readonly release: Effect.Effect<void>
  /** Whether `take` would give a place now or let wait for one: for whoever would do much before it takes. It promises nothing. */
  readonly hasRoom: Effect.Effect<boolean>
  /** The same at once, for what is no effect. Whoever gets the place goes on within this call. */
  readonly releaseUnsafe: () => void
  /** Gives the free places to those who wait and may go now. */
  readonly handOutUnsafe: () => void
  readonly waiting: () => number
  /** What waits of a company and mode. */
  readonly waitingOf: (party: string) => number
}

export const makeFairQueue = (options: FairQueueOptions): FairQueue => {
  const { longestWait } = options
  const lines = makeLines(options)
  let free = options.places

  const handOutUnsafe = (): void => {
    while (free > 0) {
      const waiter = lines.next()
      if (waiter === undefined) return
      free -= 1
      Deferred.doneUnsafe(waiter, Effect.void)
    }
  }
  const releaseUnsafe = (): void => {
    free += 1
    handOutUnsafe()
  }
  const release = Effect.sync(releaseUnsafe)

  const takeFor = (work: WorkFor): Effect.Effect<void, QueueFull> =>
    Effect.suspend(() => {
      const line = lines.of(work)
      const party = partyOf(work)
      // Somebody may wait although a place is free; of one company nobody overtakes.
      if (free > 0 && line.waitingOf(party) === 0) {
        free -= 1
        return Effect.void
      }
      const waiter = Deferred.makeUnsafe<void>()
      if (!line.join(party, waiter)) return Effect.fail(new QueueFull())
      const turn = Deferred.await(waiter)
      const turnInTime =
        longestWait === undefined
          ? turn
          : Effect.flatMap(Effect.timeoutOption(turn, longestWait), (came) =>
              // A turn that came in the moment in which the time was over counts: its place would be lost otherwise.
              Option.isNone(came) && line.leave(party, waiter) ? Effect.fail(new QueueFull()) : Effect.void
            )
      return Effect.onInterrupt(turnInTime, () =>
        // Who is interrupted in the moment of the turn passes the place on.
        Effect.suspend(() => (line.leave(party, waiter) ? Effect.void : release))
      )
    })

  const take = Effect.flatMap(CurrentWorkFor, takeFor)

  return {
    run: (work) =>
      Effect.uninterruptibleMask((restore) => Effect.andThen(restore(take), Effect.ensuring(restore(work), release))),
    take,
    release,
    hasRoom: Effect.map(CurrentWorkFor, (work) => free > 0 || lines.of(work).hasRoomFor(partyOf(work))),
    releaseUnsafe,
    handOutUnsafe,
    waiting: lines.count,
    waitingOf: lines.waitingOf
  }
}
