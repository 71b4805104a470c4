/**
 * Whether what a caller brings can be in a table at all. What bears the installation's mark can; what bears none is looked up only as long
 * as the table has rows from before there were marks.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { storeLimits } from "./limits.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const ThereRow = rowModel({ isThere: column.bool })

/** `unmarked`: the table, and which of its rows are from before. All who ask at once get one answer. */
export const makeMayBeThere = Effect.fnUntraced(function* (unmarked: string) {
  const sql = yield* SqlClient.SqlClient
  const statement = `select exists (select from ${unmarked}) as is_there`
  const hasUnmarked = yield* Effect.cachedWithTTL(
    Effect.map(storeRead(ThereRow.first(sql.unsafe(statement))), (row) => row?.isThere === true),
    storeLimits.unmarkedKnownFor
  )
  return (isMarked: boolean) => (isMarked ? Effect.succeed(true) : hasUnmarked)
})
