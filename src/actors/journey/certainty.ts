/**
 * What to do when nobody knows whether a commit happened: hand the very same commit in again. A start is held apart by
 * its idempotency key and a message by its version, so the second try waits for the first if that is still under way
 * and then says what became of it; it can never happen twice.
 */
import { Effect } from "effect"
import { OutcomeUnknown } from "./JourneyEntity.ts"
import type { CommitUnknown, StoreUnavailable } from "./JourneyStore.ts"
import { tryUnknownAgain } from "./supervision.ts"

/** The commit, tried until its outcome is certain; `OutcomeUnknown` when the database stays away. */
export const untilCertain = <A>(
  commit: Effect.Effect<A, StoreUnavailable | CommitUnknown>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown> =>
  Effect.catchTag(commit, "CommitUnknown", () =>
    commit.pipe(Effect.retry(tryUnknownAgain), Effect.mapError(() => new OutcomeUnknown()))
  )
