/**
 * A session that opens, and the sessions that end with it, of which the journal of what has ended is told. The secret of the session is
 * known here alone. So when the answer of the database is lost, the session is looked up by its secret: whoever signs in is in, and
 * what has ended stands in the journal, also when the database came back too late for the caller.
 */
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { EndedThing } from "../../../actors/erasure/EndedThing.ts"
import { ErasureJournal, noteEnded } from "../../../actors/erasure/ErasureJournal.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { knownWrite, storeRead, unavailableIfUnknown } from "../../postgres/storeCalls.ts"
import { storeLimits } from "./limits.ts"

interface Opening<A> {
  /** Null: there is nothing to open a session with. */
  readonly open: Effect.Effect<A | null, SqlError>
  /** What `open` has answered, by the rows; null when it has opened nothing. */
  readonly opened: Effect.Effect<A | null, SqlError>
  readonly ended: (answer: A) => ReadonlyArray<EndedThing>
}

/** `look`, and `otherwise` when it finds nothing. */
const or = <A>(look: Effect.Effect<A | null, SqlError>, otherwise: Effect.Effect<A | null, SqlError>) =>
  Effect.flatMap(look, (found) => (found === null ? otherwise : Effect.succeed(found)))

export const makeOpening = Effect.gen(function* () {
  const journal = yield* ErasureJournal
  const scope = yield* Effect.scope

  return <A>({ ended, open, opened }: Opening<A>): Effect.Effect<A | null, StoreUnavailable> => {
    const noted = (answer: A | null) => (answer === null ? Effect.void : noteEnded(journal, ended(answer)))
    const later = storeRead(opened).pipe(
      Effect.retry(Schedule.spaced(storeLimits.lookUpEvery)),
      Effect.flatMap(noted),
      Effect.forkIn(scope)
    )
    // The first try may still run while it is looked up. The second try waits for it, and finds its link spent.
    return knownWrite(open, or(opened, or(open, opened))).pipe(
      Effect.tap(noted),
      Effect.tapErrorTag("CommitUnknown", () => later),
      unavailableIfUnknown,
      Effect.uninterruptible
    )
  }
})
