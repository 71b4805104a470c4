/**
 * The stock of vehicles in PostgreSQL, as the team keeps it. A completed handover marks its vehicle sold with the statement
 * that commits the journey (`journeyParts.ts`). A search compares bytes (`collate "C"`), so that an index finds what begins
 * with a text under every database's rules for text.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Stock, type StockFilter, type StockPieceRequest } from "../../../actors/company/Stock.ts"
import { stockCursor, type StockPlace } from "../../../schema/company/stockPlace.ts"
import { StockVehicle } from "../../../schema/company/StockVehicle.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { pieceOf } from "../../../schema/page.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { column, rowsDecodedBy } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { audited, lineParameters } from "../kernel/auditedChange.ts"

const vehicleRows = modelColumns(StockVehicle.row)

/** A vehicle with its place in the list. */
const PlacedRow = rowsDecodedBy((row) => {
  const vehicle = vehicleRows.decodeRow(row)
  return { vehicle, place: { id: vehicle.id, changedAt: column.text(row["exact"], "exact") } }
})

/** A vehicle that already has the status stays as it is, and the statement answers with no row. */
const saveStatement = audited(`
  insert into vehicles as old (company_id, id, status, changed_at) values ($1, $6, $7, $5)
  on conflict (company_id, id) do update
  set status = excluded.status, sold_by = null, changed_at = excluded.changed_at
  where old.status <> excluded.status`)

/** No text that begins with another text comes after that text with the last code point there is. */
const lastCodePoint = "\u{10ffff}"

/** The vehicles that were asked for, and their order. */
const listed = (
  sql: SqlClient.SqlClient,
  { search, status }: StockFilter,
  after: StockPlace | null
): readonly [conditions: ReadonlyArray<Statement.Fragment>, order: Statement.Fragment] => {
  const ofStatus = status === null ? [] : [sql`status = ${status}`]
  if (search === null) {
    const further = after && sql`(changed_at, id) < (${after.changedAt}::text::timestamptz, ${after.id})`
    return [[...ofStatus, ...(further === null ? [] : [further])], sql`changed_at desc, id desc`]
  }
  const further =
    after &&
    sql`(lower(id collate "C"), id collate "C") > (lower(${after.id}::text collate "C"), ${after.id}::text collate "C")`
  return [
    [
      ...ofStatus,
      sql`lower(id collate "C") >= lower(${search}::text collate "C")`,
      sql`lower(id collate "C") < lower(${search}::text collate "C") || ${lastCodePoint}`,
      ...(further === null ? [] : [further])
    ],
    sql`lower(id collate "C"), id collate "C"`
  ]
}

/** One vehicle more than a piece has. */
export const stockListed = (
  sql: SqlClient.SqlClient,
  companyId: CompanyId,
  filter: StockFilter,
  { after, size }: StockPieceRequest
) => {
  const [conditions, order] = listed(sql, filter, after)
  return sql`
    select *, to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact
    from vehicles where ${sql.and([sql`company_id = ${companyId}`, ...conditions])}
    order by ${order} limit ${size + 1}`
}

export const layer = Layer.effect(
  Stock,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const find = (companyId: CompanyId, vehicleId: string) =>
      storeRead(vehicleRows.first(sql`select * from vehicles where company_id = ${companyId} and id = ${vehicleId}`))

    return Stock.of({
      vehicles: (companyId, filter, piece) =>
        storeRead(PlacedRow.all(stockListed(sql, companyId, filter, piece))).pipe(
          Effect.map((found) => {
            const { content, next } = pieceOf(found, piece.size, ({ place }) => stockCursor(place))
            return { content: content.map(({ vehicle }) => vehicle), next }
          })
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
