/** Stocks of vehicles in PostgreSQL. The statements are in `vehicleStatements.ts`. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Stock, type StockVehicle } from "../../actors/company/Stock.ts"
import { pageOf } from "./companyRows.ts"
import { lineColumns } from "./PostgresCompanyStore.ts"
import { saveVehicleStatement } from "./vehicleStatements.ts"
import { storeRead, storeWrite } from "../postgres/storeCalls.ts"

interface VehicleRow {
  readonly id: string
  readonly status: StockVehicle["status"]
  readonly sold_by: string | null
  readonly changed_at: Date
}

const vehicleOf = (row: VehicleRow): StockVehicle => ({
  id: row.id,
  status: row.status,
  soldBy: row.sold_by,
  changedAt: row.changed_at.getTime()
})

/** A statement that must answer with a row. */
const only = <Row>([row]: ReadonlyArray<Row>): Effect.Effect<Row> =>
  row === undefined ? Effect.die(new Error("a statement of the stock answered with no row")) : Effect.succeed(row)

export const layer = Layer.effect(
  Stock,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = <Row extends object>(statement: string, values: ReadonlyArray<unknown>) =>
      storeWrite(sql.unsafe<Row>(statement, values))
    const find = (companyId: string, vehicleId: string) =>
      storeRead(sql<VehicleRow>`select * from vehicles where company_id = ${companyId} and id = ${vehicleId}`)

    return Stock.of({
      vehicles: (companyId, page) =>
        storeRead(
          pageOf(
            sql,
            { from: "from vehicles where company_id = $1", order: "changed_at desc, id", values: [companyId] },
            page,
            vehicleOf
          )
        ),
      save: (companyId, { id, status }, line) =>
        write<VehicleRow>(saveVehicleStatement, [...lineColumns(companyId, line), id, status]).pipe(
          Effect.flatMap((rows) => (rows.length > 0 ? Effect.succeed(rows) : find(companyId, id))),
          Effect.flatMap(only),
          Effect.map(vehicleOf)
        )
    })
  })
)
