/**
 * A few places for work that takes long, shared fairly. Companies take turns, so nobody waits behind all the work of another
 * company. Live work comes before test work, but a share of the turns is left to test work. A company that has
 * as much waiting as it may is refused itself; others are not. `WorkFor.ts` says for whom work is done.
 */
import { Deferred, Effect, Option, type Duration } from "effect"
import { queueLimits } from "./limits.ts"
import { CurrentWorkFor, type WorkFor } from "./WorkFor.ts"

export interface FairQueueOptions {
  /** Work that runs at once. */
  readonly places: number
  /** Work of one company and mode that waits; the same for the work of nobody in particular. */
  readonly mostWaitingOfOne: number
  /** Work of one mode that waits in all. */
  readonly mostWaiting: number
  /** Without it work waits for as long as its turn takes. */
  readonly longestWait?: Duration.Duration
}

/** The work was not begun: too much of the same company, or of all of them, waits already, or its turn did not come in time. */
export class QueueFull {
  readonly _tag = "QueueFull"
}

type Waiter = Deferred.Deferred<void>

/** What waits in one mode. The companies stand in the order of their turns. */
const makeLine = ({ mostWaiting, mostWaitingOfOne }: FairQueueOptions) => {
  const waiting = new Map<string, Array<Waiter>>()
  let count = 0
  return {
    count: () => count,
    join: (company: string, waiter: Waiter): boolean => {
      const own = waiting.get(company) ?? []
      if (own.length >= mostWaitingOfOne || count >= mostWaiting) return false
      own.push(waiter)
      waiting.set(company, own)
      count += 1
      return true
    },
    leave: (company: string, waiter: Waiter): boolean => {
      const own = waiting.get(company) ?? []
      const at = own.indexOf(waiter)
      if (at < 0) return false
      own.splice(at, 1)
      if (own.length === 0) waiting.delete(company)
      count -= 1
      return true
    },
    /** The first of the company whose turn it is. Its next turn comes after those of all others. */
    next: (): Waiter | undefined => {
      for (const [company, own] of waiting) {
        waiting.delete(company)
        const first = own.shift()
        if (own.length > 0) waiting.set(company, own)
        count -= 1
        return first
      }
      return undefined
    }
  }
}

export interface FairQueue {
  /** Waits for a place and runs the work there. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | QueueFull, R>
  /** Waits for a place. Whoever has taken one gives it back with `release`. */
  readonly take: Effect.Effect<void, QueueFull>
  readonly release: Effect.Effect<void>
  /** The same at once, for what is no effect. Whoever gets the place goes on within this call. */
  readonly releaseUnsafe: () => void
  readonly waiting: () => number
}

export const makeFairQueue = (options: FairQueueOptions): FairQueue => {
  const live = makeLine(options)
  const test = makeLine(options)
  const { longestWait } = options
  let free = options.places
  let liveTurns = 0

  const next = (): Waiter | undefined => {
    const isTestsTurn = live.count() === 0 || liveTurns >= queueLimits.liveTurnsForOneTestTurn
    if (isTestsTurn && test.count() > 0) {
      liveTurns = 0
      return test.next()
    }
    if (test.count() > 0) liveTurns += 1
    return live.next()
  }

  const releaseUnsafe = (): void => {
    const waiter = next()
    if (waiter === undefined) free += 1
    else Deferred.doneUnsafe(waiter, Effect.void)
  }
  const release = Effect.sync(releaseUnsafe)

  const takeFor = ({ companyId, livemode }: WorkFor): Effect.Effect<void, QueueFull> =>
    Effect.suspend(() => {
      if (free > 0) {
        free -= 1
        return Effect.void
      }
      const line = livemode ? live : test
      const company = companyId ?? ""
      const waiter = Deferred.makeUnsafe<void>()
      if (!line.join(company, waiter)) return Effect.fail(new QueueFull())
      const turn = Deferred.await(waiter)
      const turnInTime =
        longestWait === undefined
          ? turn
          : Effect.flatMap(Effect.timeoutOption(turn, longestWait), (came) =>
              // A turn that came in the moment in which the time was over counts: its place would be lost otherwise.
              Option.isNone(came) && line.leave(company, waiter) ? Effect.fail(new QueueFull()) : Effect.void
            )
      return Effect.onInterrupt(turnInTime, () =>
        // Who is interrupted in the moment of the turn passes the place on.
        Effect.suspend(() => (line.leave(company, waiter) ? Effect.void : release))
      )
    })

  const take = Effect.flatMap(CurrentWorkFor, takeFor)

  return {
    run: (work) =>
      Effect.uninterruptibleMask((restore) => Effect.andThen(restore(take), Effect.ensuring(restore(work), release))),
    take,
    release,
    releaseUnsafe,
    waiting: () => live.count() + test.count()
  }
}
