/**
 * Begins the erasure of customers whom their company keeps no longer. A customer may come back in the same moment: so their rows are held
 * first, and who is over is judged once more with what was written until then. A start that is accepted is therefore never erased with
 * the customer's past: it is seen here, or it makes a new customer.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { uuidArray } from "../postgres/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { beginErasuresStatement, holdCustomersStatement } from "../stores/erasure/retentionStatements.ts"

const CustomerRow = rowModel({ id: column.text })
const BegunRow = rowModel({ customerId: column.text })

/** Begins some erasures at this time, in epoch milliseconds, and says whose. */
export const makeCustomersOver = Effect.map(SqlClient.SqlClient, (sql) => (now: number) => {
  const at = new Date(now)
  return Effect.gen(function* () {
    const held = yield* CustomerRow.all(withStatementTimeout(sql.unsafe(holdCustomersStatement, [at])))
    if (held.length === 0) return []
    const ids = uuidArray(held.map(({ id }) => id))
    const begun = yield* BegunRow.all(withStatementTimeout(sql.unsafe(beginErasuresStatement, [at, ids])))
    return begun.map(({ customerId }) => customerId)
  }).pipe(sql.withTransaction)
})
