/**
 * What a mail about a journey is written from, in PostgreSQL: the journey's row, and the personal record opened with the
 * customer's key.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { JourneyUnreadable, Unopenable, type StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { Recipients, type MailRecipient } from "../../../actors/mail/Recipients.ts"
import { batchLimits } from "../../postgres/limits.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { makeLookup } from "../../postgres/sqlBatcher.ts"
import { batchedRead } from "../../postgres/storeCalls.ts"
import { languageColumns, languageFields } from "../customer/PostgresCustomerLanguage.ts"
import { owedOrder } from "./takeMailStatement.ts"
import { latestReviewOf } from "../review/PostgresReviewQueue.ts"
import { JourneyId, MailId } from "../../../schema/ids.ts"

const findStatement = `
select m.id as mail_id, j.id, j.state, o.name as company_name, c.wrapped_key, c.address_ended_at is not null as is_address_ended, p.sealed,
  ${languageColumns("c", "o")}, exists (
  select from mails l where l.journey_id = m.journey_id and l.kind = m.kind and ${owedOrder("l")} > ${owedOrder("m")}
) as is_superseded,
  case when m.kind = 'REVIEW_NEEDED' and j.review is not null then (select r.id from (${latestReviewOf("j.id")}) r) end as review_id,
  (select max(s.seen_at) from customer_sessions s where s.journey_id = m.journey_id) as last_seen
from mails m join journeys j on j.id = m.journey_id join companies o on o.id = j.company_id
  left join customers c on c.id = j.customer_id left join personal_records p on p.journey_id = j.id
where m.id = any($1::uuid[])`

const FoundRow = rowModel({
  mailId: column.id(MailId),
  id: column.id(JourneyId),
  state: column.json,
  companyName: column.text,
  wrappedKey: column.orNull(column.bytes),
  isAddressEnded: column.bool,
  sealed: column.orNull(column.bytes),
  isSuperseded: column.bool,
  reviewId: column.orNull(column.text),
  lastSeen: column.orNull(column.millis),
  ...languageFields
})
type FoundRow = RowOf<typeof FoundRow>

/** What mail needs of everything that the start said. */
const Record = Schema.fromJsonString(
  Schema.Struct({
    externalCompanyName: Schema.optionalKey(Schema.String),
    customer: Schema.Struct({ email: Schema.String, firstName: Schema.String }),
    vehicle: Schema.Struct({ registration: Schema.String })
  })
)
const readRecord = Schema.decodeUnknownEffect(Record)
const readJourney = Schema.decodeUnknownEffect(Journey)

export const layer = Layer.effect(
  Recipients,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const customerOf = Effect.fnUntraced(function* ({
      companyLanguage,
      customerLanguage,
      id,
      isAddressEnded,
      sealed,
      wrappedKey
    }: FoundRow): Effect.fn.Return<MailRecipient | null, Unopenable | StoreUnavailable> {
      if (wrappedKey === null || sealed === null) return null
      const place = recordPlace(id)
      const key = yield* vault.keyOf(wrappedKey)
      // The report of the schema would repeat the record.
      const { customer, externalCompanyName, vehicle } = yield* Effect.flatMap(
        key.open(place, sealed),
        readRecord
      ).pipe(Effect.catchTag("SchemaError", () => Effect.fail(new Unopenable({ place }))))
      return {
        email: customer.email,
        isAddressEnded,
        firstName: customer.firstName,
        registration: vehicle.registration,
        seller: externalCompanyName ?? null,
        language: customerLanguage ?? companyLanguage,
        key
      }
    })

    const look = yield* makeLookup(sql, {
      name: "Recipients.find",
      limits: batchLimits.recipientRead,
      statement: findStatement,
      model: FoundRow,
      idOf: ({ mailId }) => mailId
    })

    return Recipients.of({
      find: Effect.fnUntraced(function* (mailId) {
        const row = yield* batchedRead(look(mailId))
        if (row === null) return null
        const journey = yield* readJourney(row.state).pipe(
          Effect.mapError((cause) => new JourneyUnreadable({ journeyId: row.id, cause }))
        )
        const { companyName, isSuperseded, lastSeen, reviewId } = row
        return { journey, companyName, reviewId, customer: yield* customerOf(row), isSuperseded, lastSeen }
      })
    })
  })
)
