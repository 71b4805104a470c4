/**
 * Erases what declined applications say of their customers, once their company keeps them no longer: the record is sealed anew without
 * it. The journey, its events and the rest of the record stay. What stays is decided by `rules/declinedRecord.ts`.
 */
import { Cause, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { erasureNewsOf } from "../../actors/erasure/erasureNews.ts"
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
  const news = erasureNewsOf("A declined application cannot be erased", "A declined application can be erased again")

  const without = Effect.fnUntraced(function* ({ id, sealed, wrappedKey }: RowOf<typeof RecordRow>) {
    const key = yield* customerKeyOf(vault, wrappedKey)
    const place = recordPlace(id)
    const record: unknown = JSON.parse(yield* Effect.orDie(key.open(place, sealed)))
    return [{ id, before: sealed, sealed: key.seal(place, JSON.stringify(declinedRecord(record))) }]
  })

  /** The journeys whose records could not be opened in one look. The next look tries again. */
  let looking = { now: Number.NaN, atFault: new Set<JourneyId>() }

  /** A record that cannot be opened does not hold up the others. */
  const orNothing = (row: RowOf<typeof RecordRow>, atFault: Set<JourneyId>) =>
    without(row).pipe(
      Effect.tap(() => news.ok({ journeyId: row.id })),
      Effect.catchDefect((defect) => {
        atFault.add(row.id)
        return Effect.as(news.failed({ journeyId: row.id }, Cause.die(defect)), [])
      })
    )

  /** Some records without their applications; none when no more can be opened. */
  const someOpened = Effect.fnUntraced(function* (at: Date, atFault: Set<JourneyId>) {
    while (true) {
      const values = [at, uuidArray([...atFault])]
      const rows = yield* RecordRow.all(withStatementTimeout(sql.unsafe(declinedApplicationsStatement, values)))
      const opened = (yield* Effect.forEach(rows, (row) => orNothing(row, atFault))).flat()
      if (opened.length > 0 || rows.length === 0) return opened
    }
  })

  /** Erases some applications that are over at this time, in epoch milliseconds, and says how many. One look asks again with the same time. */
  return Effect.fnUntraced(function* (now: number) {
    const at = new Date(now)
    if (looking.now !== now) looking = { now, atFault: new Set() }
    const replaced = yield* someOpened(at, looking.atFault)
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
