/** Reads a page of rows whose type is only asserted. Stores that decode their rows use `readPage`. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { PageOf, PageRequest } from "../../schema/page.ts"

/** One page of a constant query that has its order, and the number of all its rows. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a statement answers is its own, as in sql.unsafe
export const pageOf = <Row extends object, A>(
  sql: SqlClient.SqlClient,
  query: { readonly from: string; readonly order: string; readonly values: ReadonlyArray<unknown> },
  { page, size }: PageRequest,
  read: (row: Row) => A
): Effect.Effect<PageOf<A>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { from, order, values } = query
    const [count] = yield* sql.unsafe<{ readonly total: number }>(`select count(*)::int as total ${from}`, values)
    const last = values.length
    const rows = yield* sql.unsafe<Row>(`select * ${from} order by ${order} limit $${last + 1} offset $${last + 2}`, [
      ...values,
      size,
      page * size
    ])
    return { content: rows.map(read), totalElements: count?.total ?? 0 }
  })
