/**
 * Whether a table has rows from before what callers bring had a mark of the installation. What bears no mark is looked up only as long as
 * there are such rows.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { storeLimits } from "./limits.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"

const ThereRow = rowModel({ isThere: column.bool })

/** `rows`: the table, and which of its rows. All who ask at once get one answer. */
export const unmarkedRows = Effect.fnUntraced(function* (rows: string) {
  const sql = yield* SqlClient.SqlClient
  const statement = `select exists (select from ${rows}) as is_there`
  return yield* Effect.cachedWithTTL(
    Effect.map(storeRead(ThereRow.first(sql.unsafe(statement))), (row) => row?.isThere === true),
    storeLimits.unmarkedKnownFor
  )
})
