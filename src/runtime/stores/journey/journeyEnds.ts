/**
 * Ends of journeys, as the journal of what has ended is told of them. A commit whose answer was lost is looked up by its line of the
 * journey's journal. When the database stays away for longer than the caller waits, it is looked up once the database is back: also when
 * nobody asks again. What a journey is at its end is decided elsewhere.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureJournal, noteEnded } from "../../../actors/erasure/ErasureJournal.ts"
import type { Commit } from "../../../actors/journey/actor/JourneyStore.ts"
import { unknownAfterTimeout, unknownIfUnavailable } from "../../../actors/kernel/commitOutcome.ts"
import type { CommitUnknown, OutcomeUnknown, StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"

/** Whether the version that a commit would make is there, and whether that commit has made it. */
const VersionRow = rowModel({ isThere: column.bool, isWritten: column.bool })
const versionStatement = `
select j.version >= $2::int4 as is_there,
  exists (select from journal l where l.journey_id = j.id and l.version = $2::int4 and l.message_id = $3::uuid) as is_written
from journeys j where j.id = $1::uuid`

type Committed = "Committed" | "Conflict"
type Failure = StoreUnavailable | CommitUnknown | OutcomeUnknown

export const makeJourneyEnds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const journal = yield* ErasureJournal
  const scope = yield* Effect.scope
  /** Of an unknown outcome, until the outcome is known. */
  const unknown = new Set<Commit>()

  const lookUp = ({ expectedVersion, journey, messageId }: Commit) =>
    storeRead(VersionRow.first(sql.unsafe(versionStatement, [journey.id, expectedVersion + 1, messageId])))

  const noted = ({ journey }: Commit) => noteEnded(journal, [{ what: "JOURNEY", journeyId: journey.id }])

  /** Whether the conflict is with this very commit, whose first answer was lost. */
  const isWritten = (one: Commit) => Effect.map(lookUp(one), (row) => row?.isWritten === true)

  /** The commit may still wait to be written when its caller waits no longer. */
  const followLater = (one: Commit) =>
    Effect.gen(function* () {
      for (let looks = 0; looks < storeLimits.mostLookUps;) {
        yield* Effect.sleep(storeLimits.lookUpEvery)
        if (!unknown.has(one)) return
        const looked = yield* Effect.option(lookUp(one))
        if (looked._tag === "None") continue
        if (looked.value?.isWritten === true) return yield* noted(one)
        if (looked.value?.isThere !== false) return
        looks += 1
      }
    }).pipe(Effect.ensuring(Effect.sync(() => unknown.delete(one))), Effect.forkIn(scope))

  const follow = (one: Commit) => {
    if (unknown.has(one)) return Effect.void
    unknown.add(one)
    return followLater(one)
  }

  /** The commit of a journey that ends with it. */
  return <R>(one: Commit, committing: Effect.Effect<Committed, Failure, R>): Effect.Effect<Committed, Failure, R> =>
    Effect.tap(committing, (outcome) => {
      if (outcome === "Committed") return unknownAfterTimeout(noted(one))
      return unknownAfterTimeout(
        Effect.flatMap(unknownIfUnavailable(isWritten(one)), (is) => (is ? noted(one) : Effect.void))
      )
    }).pipe(
      Effect.tap(() => Effect.sync(() => unknown.delete(one))),
      Effect.tapError((error) => (error._tag === "StoreUnavailable" ? Effect.void : follow(one)))
    )
})
