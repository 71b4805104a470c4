/**
 * The stock of vehicles in PostgreSQL, as the team keeps it. A completed handover marks its vehicle sold with the statement
 * that commits the journey (`journeyParts.ts`).
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Stock } from "../../actors/company/Stock.ts"
import { StockVehicle } from "../../schema/company/StockVehicle.ts"
import { modelColumns } from "../postgres/modelColumns.ts"
import { readPage } from "../postgres/pages.ts"
import { storeRead, storeWrite } from "../postgres/storeCalls.ts"
import { audited, lineParameters } from "./auditedChange.ts"
import type { CompanyId } from "../../schema/ids.ts"

const vehicleRows = modelColumns(StockVehicle.row)

/** A vehicle that already has the status stays as it is, and the statement answers with no row. */
const saveStatement = audited(`
  insert into vehicles as old (company_id, id, status, changed_at) values ($1, $6, $7, $5)
  on conflict (company_id, id) do update
  set status = excluded.status, sold_by = null, changed_at = excluded.changed_at
  where old.status <> excluded.status`)

export const layer = Layer.effect(
  Stock,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const find = (companyId: CompanyId, vehicleId: string) =>
      storeRead(vehicleRows.first(sql`select * from vehicles where company_id = ${companyId} and id = ${vehicleId}`))

    return Stock.of({
      vehicles: (companyId, page) =>
        storeRead(
          readPage(
            sql,
            vehicleRows,
            { from: "from vehicles where company_id = $1", order: "changed_at desc, id", values: [companyId] },
            page
          )
        ),
      save: Effect.fnUntraced(function* (companyId, { id, status }, line) {
        const saved = yield* storeWrite(
          vehicleRows.first(sql.unsafe(saveStatement, [...lineParameters(companyId, line), id, status]))
        )
        const vehicle = saved ?? (yield* find(companyId, id))
        return vehicle ?? (yield* Effect.die(new Error("a vehicle that was saved is not there")))
      })
    })
  })
)
