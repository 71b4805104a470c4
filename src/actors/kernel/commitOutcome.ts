/**
 * What to do when nobody knows whether a commit happened: submit the very same commit again. A start carries an
 * idempotency key and a message carries a version, so a commit cannot happen twice: the second attempt waits for the
 * first one if the first one still runs, and then reports what became of it.
 *
 * The second attempt may find the work of the first attempt and report it as a rival's work. The caller must then check
 * whether the rival was the caller itself. Until then the caller cannot say "nothing was written": see
 * `unknownIfUnavailable`.
 */
import { Effect, Schedule, type Duration } from "effect"
import { commitLimits } from "./limits.ts"
import { CommitUnknown, OutcomeUnknown, StoreUnavailable } from "./StoreError.ts"
import { timeLeft } from "./timeLeft.ts"

/**
 * Submits the commit again until its outcome is known, or the time is over. `again` is what is submitted then, where the commit
 * itself would not see that it has happened. What the second attempt refuses is refused.
 */
export const retryUntilKnown = <A, E, R>(
  commit: Effect.Effect<A, E, R>,
  again: Effect.Effect<A, E, R> = commit
): Effect.Effect<A, Exclude<E, CommitUnknown> | OutcomeUnknown, R> =>
  retriedFor(commit, again, () => commitLimits.knownWithin)

/**
 * The same for a commit that by itself ends within `knownWithin`, as a batcher's does: first attempt and all others together take no
 * longer. No fiber watches the first attempt, which is nearly always the only one.
 */
export const knownInTime = <A, E, R>(
  commit: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, CommitUnknown> | OutcomeUnknown, R> =>
  Effect.clockWith((clock) => retriedFor(commit, commit, timeLeft(clock, commitLimits.knownWithin)))

const retriedFor = <A, E, R>(
  commit: Effect.Effect<A, E, R>,
  again: Effect.Effect<A, E, R>,
  left: () => Duration.Duration
): Effect.Effect<A, Exclude<E, CommitUnknown> | OutcomeUnknown, R> =>
  Effect.catchIf(
    commit,
    isUnknown,
    () =>
      unknownAfter(
        left(),
        Effect.retry(again, { while: isUncertain, schedule: Schedule.spaced(commitLimits.retryEvery) })
      )
    // The compiler cannot see that whatever leaves E undecided was retried.
  ) as Effect.Effect<A, Exclude<E, CommitUnknown> | OutcomeUnknown, R>

const isUnknown = (error: unknown): error is CommitUnknown => error instanceof CommitUnknown

const isUncertain = (error: unknown): boolean => isUnknown(error) || error instanceof StoreUnavailable

const unknownAfter = <A, E, R>(
  time: Duration.Duration,
  committing: Effect.Effect<A, E, R>
): Effect.Effect<A, E | OutcomeUnknown, R> =>
  Effect.timeoutOrElse(committing, { duration: time, orElse: () => Effect.fail(new OutcomeUnknown()) })

/** Fails with `OutcomeUnknown` when what follows a commit stays silent for as long as the caller can wait. */
export const unknownAfterTimeout = <A, E, R>(
  committing: Effect.Effect<A, E, R>
): Effect.Effect<A, E | OutcomeUnknown, R> => unknownAfter(commitLimits.knownWithin, committing)

/** For whoever answers a caller: of a write whose outcome the store does not know there is no answer, and the connection is dropped. */
export const unknownToCaller = <A, R>(
  write: Effect.Effect<A, StoreUnavailable | CommitUnknown, R>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown, R> =>
  Effect.catchTag(write, "CommitUnknown", () => Effect.fail(new OutcomeUnknown()))

/** For what follows a commit: when the store is away, the caller cannot say that nothing was written. */
export const unknownIfUnavailable = <A, E extends { readonly _tag: string }, R>(
  reading: Effect.Effect<A, E | StoreUnavailable, R>
): Effect.Effect<A, Exclude<E, StoreUnavailable> | OutcomeUnknown, R> =>
  Effect.mapError(
    reading,
    (error) => (error._tag === "StoreUnavailable" ? new OutcomeUnknown() : error)
    // The compiler cannot see that the tag excludes StoreUnavailable from E.
  ) as Effect.Effect<A, Exclude<E, StoreUnavailable> | OutcomeUnknown, R>
