/**
 * Makes the months of the tables that are cut into months, long before anything is written to them, and takes away those that are
 * over and empty. One node does it at a time; two at once would do no harm. A table is locked for a moment only: whoever would have
 * to wait for a long read comes again with the next look, which has weeks of time. What else keeps it from working is logged once,
 * and `journeys_months_ahead` says how long there is still room.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { Leadership } from "../../actors/kernel/Leadership.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import {
  dropEmptyMonthStatement,
  DroppedRow,
  MadeRow,
  makeMonthsStatement,
  monthTables,
  type MonthTable
} from "../postgres/months.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { monthLimits } from "./limits.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leadership = (yield* Leadership).of("months")
    const tables = monthTables.map((table) => ({ table, status: pollStatusOf(`Months of the table ${table}`) }))

    const make = (table: MonthTable, at: Date) =>
      withStatementTimeout(MadeRow.first(sql.unsafe(makeMonthsStatement, [table, at])))
    const dropOne = (table: MonthTable, at: Date) =>
      Effect.map(
        withStatementTimeout(DroppedRow.first(sql.unsafe(dropEmptyMonthStatement, [table, at]))),
        (row) => row?.isDropped === true
      )

    yield* startDueWork({
      name: "Months",
      ...monthLimits,
      leadership,
      look: ({ now }) => Effect.succeed(tables.map(({ status, table }) => ({ table, status, at: new Date(now) }))),
      keyOf: ({ table }) => table,
      run: ({ at, status, table }) =>
        make(table, at).pipe(
          Effect.andThen(Effect.repeat(dropOne(table, at), { while: (isDropped) => isDropped })),
          Effect.andThen(status.ok),
          Effect.catchIf(isLockTimeout, () => Effect.void),
          Effect.catchCause((cause) => Effect.andThen(status.failed(cause), leadership.stepDown))
        )
    })
  })
)

const isLockTimeout = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "LockTimeoutError"
