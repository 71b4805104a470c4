/** What a mail about a journey is written from, in PostgreSQL: the journey's row, and its record opened with the customer's key. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Journey } from "../../actors/journey/rules/Journey.ts"
import { JourneyUnreadable, Unopenable } from "../../actors/kernel/StoreError.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { Recipients, type MailRecipient } from "../../actors/mail/Recipients.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import { uuidArray } from "../postgres/parameters.ts"
import { owedOrder } from "./PostgresMailStore.ts"
import { isRefusal } from "../postgres/sqlFailure.ts"
import { batchedRead } from "../postgres/storeCalls.ts"
import { tooManyWaiting, withStatementTimeout } from "../postgres/timeouts.ts"

const findStatement = `
select m.id as mail_id, j.id, j.state, c.wrapped_key, p.sealed, exists (
  select from mails l where l.journey_id = m.journey_id and l.kind = m.kind and ${owedOrder("l")} > ${owedOrder("m")}
) as is_superseded
from mails m join journeys j on j.id = m.journey_id
  left join customers c on c.id = j.customer_id left join personal_records p on p.journey_id = j.id
where m.id = any($1::uuid[])`

/** Mails that are looked up by one statement at most. */
const largestRead = 64

interface FoundRow {
  readonly mail_id: string
  readonly id: string
  readonly state: unknown
  readonly wrapped_key: Uint8Array | null
  readonly sealed: Uint8Array | null
  readonly is_superseded: boolean
}

/** Of everything the start said, what mail needs. */
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
      id,
      sealed,
      wrapped_key
    }: FoundRow): Effect.fn.Return<MailRecipient | null, Unopenable> {
      if (wrapped_key === null || sealed === null) return null
      const place = `personal_records|${id}`
      const key = yield* vault.keyOf(wrapped_key)
      // What the schema complains of would repeat the record.
      const { customer, externalCompanyName, vehicle } = yield* Effect.flatMap(
        key.open(place, sealed),
        readRecord
      ).pipe(Effect.catchTag("SchemaError", () => Effect.fail(new Unopenable({ place }))))
      return {
        email: customer.email,
        firstName: customer.firstName,
        registration: vehicle.registration,
        seller: externalCompanyName ?? null,
        key
      }
    })

    const look = yield* makeBatcher({
      name: "Recipients.find",
      fibers: 1,
      largestBatch: largestRead,
      isRefusal,
      full: tooManyWaiting,
      run: (mailIds: ReadonlyArray<string>) =>
        Effect.map(withStatementTimeout(sql.unsafe<FoundRow>(findStatement, [uuidArray(mailIds)])), (rows) => {
          const byId = new Map(rows.map((row) => [row.mail_id, row]))
          return mailIds.map((id) => byId.get(id) ?? null)
        })
    })

    return Recipients.of({
      find: Effect.fnUntraced(function* (mailId) {
        const row = yield* batchedRead(look(mailId))
        if (row === null) return null
        const journey = yield* readJourney(row.state).pipe(
          Effect.mapError((cause) => new JourneyUnreadable({ journeyId: row.id, cause }))
        )
        return { journey, customer: yield* customerOf(row), isSuperseded: row.is_superseded }
      })
    })
  })
)
