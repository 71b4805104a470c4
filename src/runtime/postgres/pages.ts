/**
 * Reads one page of a list, with the number of its rows (decision R7). The rows are counted and gone through up to a bound, so that
 * no page of a long list costs more than that.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { listLimits } from "../../schema/limits.ts"
import { totalOf, type PageOf, type PageRequest } from "../../schema/page.ts"
import { column, rowModel, type RowModel } from "./rows.ts"

/** A list: `from ...` with its conditions, and the order of its rows. */
export interface ListStatement {
  readonly from: string
  readonly order: string
  readonly values: ReadonlyArray<unknown>
}

const TotalRow = rowModel({ total: column.number })

/** Counts the rows of `from ...` up to one more than the bound. */
export const boundedCount = (from: string): string =>
  `select count(*)::int as total from (select ${from} limit ${listLimits.mostCounted + 1}) counted`

export const readPage = <A>(
  sql: SqlClient.SqlClient,
  model: RowModel<A>,
  { from, order, values }: ListStatement,
  { page, size }: PageRequest
): Effect.Effect<PageOf<A>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const count = yield* TotalRow.first(sql.unsafe(boundedCount(from), values))
    const total = totalOf(count?.total ?? 0)
    if (page * size >= total.totalElements) return { content: [], ...total }
    const last = values.length
    const content = yield* model.all(
      sql.unsafe(`select * ${from} order by ${order} limit $${last + 1} offset $${last + 2}`, [
        ...values,
        size,
        page * size
      ])
    )
    return { content, ...total }
  })
