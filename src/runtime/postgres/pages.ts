/** Reads one page of a list, with the number of all its rows. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import { column, rowModel, type RowModel } from "./rows.ts"

/** A list: `from ...` with its conditions, and the order of its rows. */
export interface ListStatement {
  readonly from: string
  readonly order: string
  readonly values: ReadonlyArray<unknown>
}

const TotalRow = rowModel({ total: column.number })

export const readPage = <A>(
  sql: SqlClient.SqlClient,
  model: RowModel<A>,
  { from, order, values }: ListStatement,
  { page, size }: PageRequest
): Effect.Effect<PageOf<A>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const count = yield* TotalRow.first(sql.unsafe(`select count(*)::int as total ${from}`, values))
    const last = values.length
    const content = yield* model.all(
      sql.unsafe(`select * ${from} order by ${order} limit $${last + 1} offset $${last + 2}`, [
        ...values,
        size,
        page * size
      ])
    )
    return { content, totalElements: count?.total ?? 0 }
  })
