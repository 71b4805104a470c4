/**
 * The erasure of customers in PostgreSQL. Which tables hold what a customer's key has sealed, or lead to such a row, is
 * listed here; a test finds a sealed column that the list lacks. When an erasure goes on is decided by the erasure's worker.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Erasures } from "../../../actors/erasure/Erasures.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { Erasure } from "../../../schema/erasure/Erasure.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { column, rowModel, rowsDecodedBy } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { lineAndNotice, lineParameters } from "../kernel/auditedChange.ts"
import { JourneyId } from "../../../schema/ids.ts"

/** Tables whose rows belong to a journey of the customer. The rows of `video_chunks` go first, by themselves. */
export const journeyTables = [
  "personal_records",
  "customer_photos",
  "delivery_addresses",
  "identity_checks",
  "identity_attempts",
  "provider_results",
  "sign_in_links",
  "customer_sessions",
  "upload_days",
  "video_challenges"
]

/** After the five parameters of a change: the customer, and the span of the request. */
const beginStatement = `
with changed as (
  insert into erasures (company_id, customer_id, requested_at, traceparent)
  select $1::uuid, $6::uuid, $5::timestamptz, $7::text
  where exists (select from customers where company_id = $1::uuid and id = $6::uuid)
    or exists (select from journeys where company_id = $1::uuid and customer_id = $6::uuid)
  on conflict do nothing
  returning *
), ${lineAndNotice}
select * from changed
union all select * from erasures where company_id = $1::uuid and customer_id = $6::uuid`

const runningStatement = `
select id, livemode from journeys where company_id = $1::uuid and customer_id = $2::uuid and status = 'ACTIVE'`

/** Which key it is that goes: known only as long as it is there. */
const keyStatement = "select wrapped_key from customers where company_id = $1::uuid and id = $2::uuid"
const noteKeyStatement = `
update erasures set key_id = coalesce(key_id, $3::text) where company_id = $1::uuid and customer_id = $2::uuid`

const journeysNamed = 1000
const journeysStatement = `
select id from journeys where company_id = $1::uuid and customer_id = $2::uuid order by id limit ${journeysNamed}`
const findStatement = "select * from erasures where company_id = $1::uuid and customer_id = $2::uuid"

/** Deletes the key itself. From here on nothing that the key sealed can be opened. The hash of the address goes with it. */
const dropKeyStatement = `
with gone as (delete from customers where company_id = $1::uuid and id = $2::uuid returning email_index)
delete from mail_allowances where address_index in (select email_index from gone)`

/** The parts of a video are many and large: one statement deletes some of them, so that no statement takes long. */
const partsAtOnce = 32
const dropPartsStatement = `
delete from video_chunks where (upload_id, number) in (
  select c.upload_id, c.number from video_chunks c join video_uploads u on u.id = c.upload_id
  where u.customer_id = $2::uuid and $1::uuid is not null limit ${partsAtOnce}
) returning number`

/** Deletes everything else, at a time ($3). Mail that is not sent by then is not sent any more. */
const dropRowsStatement = `
with mine as materialized (
  select id from journeys where company_id = $1::uuid and customer_id = $2::uuid
), ${journeyTables.map((table) => `${table}_gone as (delete from ${table} where journey_id in (select id from mine))`).join(", ")},
uploads_gone as (
  delete from video_uploads where customer_id = $2::uuid
), registrations_gone as (
  update journeys set registration_index = null where id in (select id from mine) and registration_index is not null
), notes_gone as (
  update journal set sealed_note = null where journey_id in (select id from mine) and sealed_note is not null
), mails_gone as (
  update mails set sealed = null, to_index = null, is_unwritten = false, due_at = null,
    struck_off_at = case when due_at is null then struck_off_at else $3::timestamptz end
  where journey_id in (select id from mine) and (sealed is not null or to_index is not null or is_unwritten or due_at is not null)
)
update erasures set erased_at = coalesce(erased_at, $3::timestamptz)
where company_id = $1::uuid and customer_id = $2::uuid returning *`

const finishStatement = `
update erasures set finished_at = $3::timestamptz where company_id = $1::uuid and customer_id = $2::uuid returning *`

/** Some ($2) erasures to go on with. Of one that was erased before $1, what was being written at that time is settled. */
const unfinishedStatement = `
select * from erasures where finished_at is null and (erased_at is null or erased_at <= $1::timestamptz)
order by requested_at limit $2::int4`

const erasureRows = modelColumns(Erasure.row)
const RunningRow = rowModel({ id: column.id(JourneyId), livemode: column.bool })

const KeyRow = rowModel({ wrappedKey: column.orNull(column.bytes) })
const KeyIdRow = rowModel({ keyId: column.orNull(column.text) })
/** An erasure with the id of the key that goes, which the model does not show. */
const FoundRow = rowsDecodedBy((row) => ({ erasure: erasureRows.decodeRow(row), ...KeyIdRow.decodeRow(row) }))
const JourneyRow = rowModel({ id: column.id(JourneyId) })

const thereMustBe = (erasure: Erasure | null): Effect.Effect<Erasure> =>
  erasure === null ? Effect.die(new Error("an erasure has no row")) : Effect.succeed(erasure)

export const layer = Layer.effect(
  Erasures,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const noteKey = Effect.fnUntraced(function* (customer: ReadonlyArray<string>) {
      const row = yield* storeRead(KeyRow.first(sql.unsafe(keyStatement, customer)))
      if (row === null || row.wrappedKey === null) return
      // A damaged key is destroyed without a name.
      const key = yield* Effect.catchTag(vault.keyOf(row.wrappedKey), "Unopenable", () => Effect.succeed(null))
      if (key !== null) yield* storeWrite(sql.unsafe(noteKeyStatement, [...customer, key.id()]))
    })

    const change = (statement: string, values: ReadonlyArray<unknown>) =>
      storeWrite(erasureRows.first(sql.unsafe(statement, values)))

    return Erasures.of({
      begin: Effect.fnUntraced(function* ({ companyId, customerId }, line) {
        const begin = change(beginStatement, [
          ...lineParameters(companyId, line),
          customerId,
          yield* currentTraceparent
        ])
        // The statement does not see an erasure that somebody else has begun in this moment; a second look sees it.
        return (yield* begin) ?? (yield* begin)
      }),
      find: Effect.fnUntraced(function* ({ companyId, customerId }) {
        const customer = [companyId, customerId]
        const found = yield* storeRead(FoundRow.first(sql.unsafe(findStatement, customer)))
        if (found === null) return null
        const journeys = yield* storeRead(JourneyRow.all(sql.unsafe(journeysStatement, customer)))
        return { ...found, journeys: journeys.map(({ id }) => id) }
      }),
      running: ({ companyId, customerId }) =>
        Effect.map(storeRead(RunningRow.all(sql.unsafe(runningStatement, [companyId, customerId]))), (rows) =>
          rows.map(({ id, livemode }) => ({ journeyId: id, scope: { companyId, livemode } }))
        ),
      shred: Effect.fnUntraced(function* ({ companyId, customerId }, at) {
        const customer = [companyId, customerId]
        yield* noteKey(customer)
        yield* storeWrite(sql.unsafe(dropKeyStatement, customer))
        while ((yield* storeWrite(sql.unsafe(dropPartsStatement, customer))).length > 0);
        return yield* Effect.flatMap(change(dropRowsStatement, [...customer, new Date(at)]), thereMustBe)
      }),
      finish: ({ companyId, customerId }, at) =>
        Effect.flatMap(change(finishStatement, [companyId, customerId, new Date(at)]), thereMustBe),
      unfinished: (settledBefore, most) =>
        storeRead(erasureRows.all(sql.unsafe(unfinishedStatement, [new Date(settledBefore), most])))
    })
  })
)
