/** The tables that are cut into months. How they are cut, and why these, stands in `migrations/0048_months.ts`. */
import { column, rowModel } from "./rows.ts"

export const monthTables = ["journal", "events", "attempts"] as const
export type MonthTable = (typeof monthTables)[number]

/** How many months a table ($1) got at a time ($2). */
export const makeMonthsStatement = "select make_months($1::text, $2::timestamptz) as made"
export const MadeRow = rowModel({ made: column.number })

/** Whether a month of a table ($1) was taken away that is over and empty at a time ($2): one at most. */
export const dropEmptyMonthStatement = "select drop_empty_month($1::text, $2::timestamptz) as is_dropped"
export const DroppedRow = rowModel({ isDropped: column.bool })

/** Of each table: its months after this one, and its rows that no month takes, counted up to a limit ($1). */
export const monthsStatement = monthTables
  .map(
    (table) => `select '${table}' as name,
    (select count(*)::int from month_parts where whole = '${table}' and after_last > first_id_at(month_from(now(), 1))) as ahead,
    (select count(*)::int from (select from ${table}_other limit $1) counted) as without_month`
  )
  .join(" union all ")
export const MonthsRow = rowModel({
  name: column.oneOf({ literals: monthTables }),
  ahead: column.number,
  withoutMonth: column.number
})
