/** Names and registrations of customers from the sealed records of their starts, for a page of a list at once. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerNames, type NamedCustomer } from "../../../actors/customer/CustomerNames.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { JourneyId } from "../../../schema/ids.ts"
import { uuidArray } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { languageColumns, languageFields } from "./PostgresCustomerLanguage.ts"

const namesStatement = `
select p.journey_id, p.sealed, c.wrapped_key, ${languageColumns("c", "o")}
from personal_records p join journeys j on j.id = p.journey_id join companies o on o.id = j.company_id
  join customers c on c.id = j.customer_id
where p.journey_id = any($1::uuid[]) and c.wrapped_key is not null`

const NameRow = rowModel({
  journeyId: column.id(JourneyId),
  sealed: column.bytes,
  wrappedKey: column.bytes,
  ...languageFields
})

const Started = Schema.fromJsonString(
  Schema.Struct({
    externalCompanyName: Schema.optionalKey(Schema.String),
    customer: Schema.Struct({ firstName: Schema.String, lastName: Schema.String }),
    vehicle: Schema.Struct({ registration: Schema.String })
  })
)
const decodeStarted = Schema.decodeUnknownOption(Started)

export const layer = Layer.effect(
  CustomerNames,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const named = Effect.fnUntraced(function* (row: RowOf<typeof NameRow>) {
      const key = yield* customerKeyOf(vault, row.wrappedKey)
      const record = yield* Effect.orDie(key.open(recordPlace(row.journeyId), row.sealed))
      const started = Option.getOrNull(decodeStarted(record))
      // The report of the schema would repeat the record.
      if (started === null) return yield* Effect.die(new Error("a personal record lacks a name"))
      const customer: NamedCustomer = {
        firstName: started.customer.firstName,
        lastName: started.customer.lastName,
        registration: started.vehicle.registration,
        seller: started.externalCompanyName ?? null,
        language: row.customerLanguage ?? row.companyLanguage
      }
      return [row.journeyId, customer] as const
    })

    return CustomerNames.of({
      of: Effect.fn("CustomerNames.of")(function* (journeyIds) {
        if (journeyIds.length === 0) return new Map<JourneyId, NamedCustomer>()
        const rows = yield* storeRead(NameRow.all(sql.unsafe(namesStatement, [uuidArray(journeyIds)])))
        return new Map(yield* Effect.forEach(rows, named))
      })
    })
  })
)
