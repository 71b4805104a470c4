/** Erasures in PostgreSQL. The statements, and the list of what they delete, are in `erasureStatements.ts`. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Erasures } from "../../actors/erasure/Erasures.ts"
import {
  beginStatement,
  dropKeyStatement,
  dropPartsStatement,
  dropRowsStatement,
  finishStatement,
  runningStatement,
  unfinishedStatement
} from "./erasureStatements.ts"
import { lineParameters } from "./auditedChange.ts"
import { storeRead, storeWrite } from "../postgres/storeCalls.ts"
import type { Erasure } from "../../schema/company/Erasure.ts"

interface ErasureRow {
  readonly company_id: string
  readonly customer_id: string
  readonly requested_at: Date
  readonly erased_at: Date | null
  readonly finished_at: Date | null
}

const millisOf = (at: Date | null): number | null => at?.getTime() ?? null

const erasureOf = (row: ErasureRow): Erasure => ({
  companyId: row.company_id,
  customerId: row.customer_id,
  requestedAt: row.requested_at.getTime(),
  erasedAt: millisOf(row.erased_at),
  finishedAt: millisOf(row.finished_at)
})

const only = ([row]: ReadonlyArray<ErasureRow>): Effect.Effect<Erasure> =>
  row === undefined ? Effect.die(new Error("an erasure has no row")) : Effect.succeed(erasureOf(row))

export const layer = Layer.effect(
  Erasures,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = <Row extends object>(statement: string, values: ReadonlyArray<unknown>) =>
      storeWrite(sql.unsafe<Row>(statement, values))

    return Erasures.of({
      begin: ({ companyId, customerId }, line) => {
        const begin = write<ErasureRow>(beginStatement, [...lineParameters(companyId, line), customerId])
        return begin.pipe(
          // One that was begun in this moment is not to be seen yet; a second look sees it.
          Effect.flatMap((rows) => (rows.length === 0 ? begin : Effect.succeed(rows))),
          Effect.map(([row]) => (row === undefined ? null : erasureOf(row)))
        )
      },
      running: ({ companyId, customerId }) =>
        Effect.map(
          storeRead(
            sql.unsafe<{ readonly id: string; readonly livemode: boolean }>(runningStatement, [companyId, customerId])
          ),
          (rows) => rows.map(({ id, livemode }) => ({ journeyId: id, scope: { companyId, livemode } }))
        ),
      shred: Effect.fnUntraced(function* ({ companyId, customerId }, at) {
        const customer = [companyId, customerId]
        yield* write(dropKeyStatement, customer)
        while ((yield* write(dropPartsStatement, customer)).length > 0);
        return yield* Effect.flatMap(write<ErasureRow>(dropRowsStatement, [...customer, new Date(at)]), only)
      }),
      finish: ({ companyId, customerId }, at) =>
        Effect.flatMap(write<ErasureRow>(finishStatement, [companyId, customerId, new Date(at)]), only),
      unfinished: (settledBefore) =>
        Effect.map(storeRead(sql.unsafe<ErasureRow>(unfinishedStatement, [new Date(settledBefore)])), (rows) =>
          rows.map(erasureOf)
        )
    })
  })
)
