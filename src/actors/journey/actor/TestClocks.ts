/**
 * The port to the clocks of the sandbox. A test journey that was started on a clock is decided by the clock's time instead of
 * the real one; the clock stands still until somebody advances it (`actors/clock`). A clock belongs to one company, and a live
 * journey is never on one. Times are epoch milliseconds. An advance holds its clock by a token, for a limited time: two advances
 * never move one clock at once, and one that died with its node can be repeated.
 */
import { Clock, Context, type Effect } from "effect"
import type { AdvanceId, ClockId, CompanyId } from "../../../schema/ids.ts"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Journey } from "../rules/state/Journey.ts"
import { clockOf } from "../rules/timers.ts"

export interface TestClock {
  readonly id: ClockId
  readonly companyId: CompanyId
  /** The time by which its journeys run. */
  readonly now: number
  readonly createdAt: number
  /** Where an advance that is under way, or was interrupted, leads to. */
  readonly target: number | null
  readonly isAdvancing: boolean
  /** Journeys that were started on it. */
  readonly journeys: number
}

/** What an advance holds its clock by. */
export interface ClockHold {
  readonly clockId: ClockId
  readonly token: string
}

/** An advance of a clock. `keyed` is the request with an Idempotency-Key that asked for it, by a fingerprint of what it said. */
export interface Advance {
  readonly target: number
  readonly keyed: { readonly id: AdvanceId; readonly fingerprint: string } | null
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class TestClocks extends Context.Service<
  TestClocks,
  {
    /** The present time of a clock, also of one that has ended. */
    readonly timeOf: (clockId: ClockId) => Reading<number>
    /** A clock that has not ended, or null. */
    readonly find: (companyId: CompanyId, clockId: ClockId, realNow: number) => Reading<TestClock | null>
    /** The clocks that have not ended, newest first; their number is bounded. */
    readonly list: (companyId: CompanyId, realNow: number) => Reading<ReadonlyArray<TestClock>>
    /** False: the company has as many clocks as it may have, or a clock with this id. `fingerprint` is that of the request. */
    readonly add: (
      clock: Pick<TestClock, "id" | "companyId" | "now" | "createdAt"> & { readonly fingerprint: string }
    ) => Writing<boolean>
    /** The fingerprint of the request that made a clock, also of one that has ended. Null: there is no such clock. */
    readonly requestOf: (companyId: CompanyId, clockId: ClockId) => Reading<string | null>
    /** Ends a clock: its journeys stay where they are. False: there is no such clock. */
    readonly end: (companyId: CompanyId, clockId: ClockId, realNow: number) => Writing<boolean>
    /** What the request with this id asked for, and where it led to. Null: no advance of the clock was begun by it. */
    readonly begunBy: (
      clockId: ClockId,
      id: AdvanceId
    ) => Reading<{ readonly fingerprint: string; readonly target: number } | null>
    /**
     * Takes hold of a clock in order to advance it, and in the same commit keeps the request that asks for it. Null: an advance is under
     * way. Otherwise the clock's present time.
     */
    readonly take: (hold: ClockHold, advance: Advance, realNow: number) => Writing<number | null>
    /** Moves the clock on and holds it longer. False: the hold has run out, or the clock has ended. */
    readonly moveTo: (hold: ClockHold, at: number, realNow: number) => Writing<boolean>
    /** Lets go of the clock. `reached`: the target is, so nothing is left to be repeated. */
    readonly letGo: (hold: ClockHold, reached: boolean) => Writing<void>
  }
>()("journeys/actors/TestClocks") {}

/** The time by which a journey is decided. */
export const timeOf = (clocks: TestClocks["Service"], journey: Journey): Effect.Effect<number, StoreUnavailable> => {
  const clock = clockOf(journey)
  return clock === null ? Clock.currentTimeMillis : clocks.timeOf(clock)
}
