/** Reads personal records in PostgreSQL and opens them with the customer's key. The statement of the start writes them. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PersonalRecords } from "../../../actors/customer/PersonalRecords.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const RecordRow = rowModel({ sealed: column.bytes, wrappedKey: column.bytes })

export const layer = Layer.effect(
  PersonalRecords,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    return PersonalRecords.of({
      read: Effect.fn("PersonalRecords.read")(function* (journeyId) {
        const row = yield* storeRead(
          RecordRow.first(sql`
            select p.sealed, c.wrapped_key from personal_records p join customers c on c.id = p.customer_id
            where p.journey_id = ${journeyId} and c.wrapped_key is not null`)
        )
        if (row === null) return null
        const key = yield* vault.keyOf(row.wrappedKey)
        const text = yield* key.open(recordPlace(journeyId), row.sealed)
        const record: unknown = JSON.parse(text)
        return record
      })
    })
  })
)
