/**
 * Corrections of customers' data in PostgreSQL: every sealed record of the customer is replaced in one transaction, so that no journey has
 * the values of before. Journeys are held meanwhile: a check is verified before the correction or after it. What may be corrected is
 * decided by `actors/customer/correction.ts`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import {
  correctedRecord,
  CustomerCorrections,
  fixedBy,
  newIn,
  type Correcting
} from "../../../actors/customer/correction.ts"
import { isAskedAgain } from "../../../actors/customer/customerStep.ts"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { stepAskedOf } from "../../../actors/journey/rules/state/waiting.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { customerKeyOf, Vault, type DataKey } from "../../../actors/kernel/Vault.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import { CorrectedField, type CustomerCorrection } from "../../../schema/customer/CustomerCorrection.ts"
import { JourneyId, type CompanyId } from "../../../schema/ids.ts"
import { arrayParameter, bytesOrNull, textArray, uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { audited, lineParameters } from "../kernel/auditedChange.ts"
import { makeKnownChange } from "../kernel/knownChange.ts"

const { mostJourneysCorrected } = customerLimits

const customerStatement = `
select wrapped_key, livemode, address_ended_at is not null as is_address_ended from customers where company_id = $1::uuid and id = $2::uuid and wrapped_key is not null for update`

const recordsStatement = `
select j.id, j.state, p.sealed from journeys j join personal_records p on p.journey_id = j.id
where j.company_id = $1::uuid and j.customer_id = $2::uuid order by j.id limit ${mostJourneysCorrected + 1}
for share of j for update of p`

const takenStatement = `
select from customers where company_id = $1::uuid and livemode = $3::bool and email_index = $4::bytea and id <> $2::uuid`

const sealStatement = `
update personal_records p set sealed = t.sealed
from unnest($1::uuid[], $2::bytea[]) t(journey_id, sealed) where p.journey_id = t.journey_id`

/** Writes the line; the address by which the customer is known changes with it, if $7 is one. */
const customerChangeStatement = audited(
  `update customers set email_index = coalesce($7::bytea, email_index),
     address_ended_at = case when $7::bytea is null then address_ended_at end
   where company_id = $1::uuid and id = $6::uuid`
)

/** An address that another customer gets while the correction looks is as taken as one that it finds. */
const isTaken = ({ reason }: SqlError): boolean =>
  reason._tag === "UniqueViolation" && reason.constraint === "customers_company_id_livemode_email_index_key"

/** Whoever has the old address has links and sessions: all of them end. */
const endStatements = [
  "delete from customer_sessions where journey_id = any($1::uuid[])",
  "delete from sign_in_links where journey_id = any($1::uuid[])"
]

/** The causes differ from those of links that were asked for by their number, and count among them. */
const mailStatement = `
insert into mails (id, cause, kind, company_id, livemode, journey_id, facts, created_at, due_at, traceparent)
select t.id, t.journey_id || '|asked|corrected|' || t.id, t.step, $1::uuid, j.livemode, t.journey_id,
  json_build_object('again', t.again, 'attempt', 1), $2::timestamptz, $2::timestamptz, $3::text
from (
  select gen_random_uuid() as id, u.* from unnest($4::uuid[], $5::text[], $6::bool[]) u(journey_id, step, again)
) t join journeys j on j.id = t.journey_id`

/** Since when the customer has the address. Null: it was never another. */
const SinceRow = rowModel({ addressSince: column.orNull(column.millis) })
const sinceStatement = "select address_since from customers where company_id = $1 and id = $2"

const CustomerRow = rowModel({
  wrappedKey: column.bytes,
  livemode: column.bool,
  isAddressEnded: column.bool
})
const RecordRow = rowModel({ id: column.id(JourneyId), state: column.json, sealed: column.bytes })
const readJourney = Schema.decodeUnknownEffect(Journey)

const opened = Effect.fnUntraced(function* (key: DataKey, { id, sealed, state }: RowOf<typeof RecordRow>) {
  const record: unknown = JSON.parse(yield* Effect.orDie(key.open(recordPlace(id), sealed)))
  return { id, record, journey: yield* Effect.orDie(readJourney(state)) }
})
type OpenedRecord = Effect.Success<ReturnType<typeof opened>>

const isAnotherAddress = ({ email }: CustomerCorrection, records: ReadonlyArray<OpenedRecord>): boolean =>
  email !== undefined && records.some(({ record }) => newIn({ email }, record).length > 0)

/** The running journeys that ask their customer for a step, as the parameters of their mails. */
const askedOf = (records: ReadonlyArray<OpenedRecord>) =>
  records.flatMap(({ id, journey }) => {
    const step = journey.status === "ACTIVE" ? stepAskedOf(journey) : null
    return step === null ? [] : [{ id, step, again: isAskedAgain(journey) }]
  })

export const layer = Layer.effect(
  CustomerCorrections,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const journal = yield* ErasureJournal
    const known = yield* makeKnownChange

    const mailAnew = Effect.fnUntraced(function* (
      companyId: CompanyId,
      at: number,
      records: ReadonlyArray<OpenedRecord>
    ) {
      const journeys = uuidArray(records.map(({ id }) => id))
      yield* Effect.forEach(endStatements, (statement) => sql.unsafe(statement, [journeys]), { discard: true })
      const asked = askedOf(records)
      yield* sql.unsafe(mailStatement, [
        companyId,
        new Date(at),
        yield* currentTraceparent,
        uuidArray(asked.map(({ id }) => id)),
        textArray(asked.map(({ step }) => step)),
        arrayParameter(
          asked.map(({ again }) => again),
          "bool"
        )
      ])
      return asked.length
    })

    /** The address of before stands in the journal as ended; also when a correction is repeated whose outcome nobody knew. */
    const journalAddress = Effect.fnUntraced(function* (companyId: CompanyId, customerId: string) {
      const row = yield* storeRead(SinceRow.first(sql.unsafe(sinceStatement, [companyId, customerId])))
      if (row === null || row.addressSince === null) return
      yield* journal.append([{ what: "ADDRESS", companyId, customerId, since: row.addressSince }])
    })

    const correctAll = Effect.fnUntraced(function* (
      { companyId, customerId }: { readonly companyId: CompanyId; readonly customerId: string },
      correction: CustomerCorrection,
      lineOf: (fields: ReadonlyArray<CorrectedField>) => AuditLine
    ): Effect.fn.Return<Correcting, SqlError | StoreUnavailable> {
      const ids = [companyId, customerId]
      const customer = yield* CustomerRow.first(sql.unsafe(customerStatement, ids))
      if (customer === null) return { _tag: "NOBODY" }
      const rows = yield* RecordRow.all(sql.unsafe(recordsStatement, ids))
      if (rows.length > mostJourneysCorrected) return { _tag: "TOO_MANY", most: mostJourneysCorrected }
      const key = yield* customerKeyOf(vault, customer.wrappedKey)
      const records = yield* Effect.forEach(rows, (row) => opened(key, row))
      // An address that has ended is corrected by itself, too: the team says that it is right after all.
      const isGivenAgain = customer.isAddressEnded && correction.email !== undefined
      const changes = new Set(records.flatMap(({ record }) => newIn(correction, record)))
      if (isGivenAgain) changes.add("email")
      const fields = CorrectedField.literals.filter((field) => changes.has(field))
      if (fields.length === 0) return { _tag: "SAME", journeys: rows.length }
      const fixed = fixedBy(
        fields,
        records.map(({ journey }) => journey)
      )
      if (fixed !== null) return { _tag: "FIXED", ...fixed }
      const isMoved = isGivenAgain || isAnotherAddress(correction, records)
      const index =
        isMoved && correction.email !== undefined ? vault.index("email", correction.email.toLowerCase()) : null
      if (index !== null) {
        const taken = yield* sql.unsafe(takenStatement, [...ids, customer.livemode, PgTypes.bytea(index)])
        if (taken.length > 0) return { _tag: "ADDRESS_TAKEN" }
      }
      const sealed = records.map(({ id, record }) =>
        key.seal(recordPlace(id), JSON.stringify(correctedRecord(record, correction)))
      )
      yield* sql.unsafe(sealStatement, [uuidArray(records.map(({ id }) => id)), arrayParameter(sealed, "bytea")])
      const line = lineOf(fields)
      yield* sql.unsafe(customerChangeStatement, [...lineParameters(companyId, line), customerId, bytesOrNull(index)])
      const linksMailed = isMoved ? yield* mailAnew(companyId, line.at, records) : 0
      return { _tag: "CORRECTED", fields, journeys: rows.length, linksMailed }
    })

    return CustomerCorrections.of({
      correct: Effect.fn("CustomerCorrections.correct")(function* (customer, correction, lineOf) {
        const { companyId, customerId } = customer
        const { email } = correction
        /** The line of the newest attempt, and what it comes to if its transaction is written. */
        const made: { line: AuditLine | null; answer: Correcting | null } = { line: null, answer: null }
        const write = Effect.suspend(() => {
          made.line = null
          made.answer = null
          return correctAll(customer, correction, (fields) => (made.line = lineOf(fields)))
        }).pipe(
          Effect.tap((answer) => Effect.sync(() => void (made.answer = answer))),
          sql.withTransaction,
          Effect.catchTag("SqlError", (error) =>
            isTaken(error) ? Effect.succeed<Correcting>({ _tag: "ADDRESS_TAKEN" }) : Effect.fail(error)
          )
        )
        return yield* known({
          companyId,
          line: () => (made.answer === null ? null : made.line),
          hold: sql.unsafe(customerStatement, [companyId, customerId]),
          write,
          written: Effect.suspend(() => Effect.succeed<Correcting>(made.answer ?? { _tag: "NOBODY" })),
          after: ({ _tag }) =>
            (_tag === "CORRECTED" || _tag === "SAME") && email !== undefined
              ? journalAddress(companyId, customerId)
              : Effect.void
        })
      })
    })
  })
)
