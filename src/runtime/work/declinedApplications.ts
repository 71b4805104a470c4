/**
 * Erases what declined applications say of their customers, once their company keeps them no longer: the record is sealed anew without
 * it. The journey, its events and the rest of the record stay. What stays is decided by `rules/declinedRecord.ts`.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { recordPlace } from "../../actors/journey/actor/JourneyStore.ts"
import { declinedRecord } from "../../actors/journey/rules/declinedRecord.ts"
import { customerKeyOf, Vault } from "../../actors/kernel/Vault.ts"
import { JourneyId } from "../../schema/ids.ts"
import { arrayParameter, uuidArray } from "../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { declinedApplicationsStatement, eraseApplicationsStatement } from "../stores/erasure/retentionStatements.ts"

const RecordRow = rowModel({ id: column.id(JourneyId), sealed: column.bytes, wrappedKey: column.bytes })

export const makeDeclinedApplications = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault

  const without = Effect.fnUntraced(function* ({ id, sealed, wrappedKey }: RowOf<typeof RecordRow>) {
    const key = yield* customerKeyOf(vault, wrappedKey)
    const place = recordPlace(id)
    const record: unknown = JSON.parse(yield* Effect.orDie(key.open(place, sealed)))
    return [{ id, before: sealed, sealed: key.seal(place, JSON.stringify(declinedRecord(record))) }]
  })

  /** A record that cannot be opened does not hold up the others. */
  const orNothing = (row: RowOf<typeof RecordRow>) =>
    Effect.catchDefect(without(row), (defect) =>
      Effect.as(Effect.logError("A declined application cannot be erased", { journeyId: row.id }, defect), [])
    )

  /** Erases some applications that are over at this time, in epoch milliseconds, and says how many. */
  return Effect.fnUntraced(function* (now: number) {
    const at = new Date(now)
    const rows = yield* RecordRow.all(withStatementTimeout(sql.unsafe(declinedApplicationsStatement, [at])))
    const replaced = (yield* Effect.forEach(rows, orNothing)).flat()
    if (replaced.length === 0) return 0
    const values = [
      at,
      uuidArray(replaced.map(({ id }) => id)),
      ...(["before", "sealed"] as const).map((name) =>
        arrayParameter(
          replaced.map((row) => row[name]),
          "bytea"
        )
      )
    ]
    return (yield* withStatementTimeout(sql.unsafe(eraseApplicationsStatement, values))).length
  })
})
