/**
 * What the pages of a journey show its customer, opened with the customer's own key, and the delivery address that the
 * customer confirms, sealed with that key. Which page shows what is decided by the pages.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { addressPlace, CustomerDetails, type Details } from "../../actors/customer/CustomerDetails.ts"
import { notePlace } from "../../actors/journey/actor/JourneyStore.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { addressFields, decodeDeliveryAddress, type DeliveryAddress } from "../../schema/requests/deliveryAddress.ts"
import { memberOf } from "../../schema/start/record.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../postgres/storeCalls.ts"

// The note of the last failed check is there when a reviewer rejected the check (D4).
const readStatement = `
select p.sealed, c.wrapped_key, o.name as company_name, a.sealed as address, f.sealed_note as rejection,
  exists (select from events e where e.journey_id = j.id and e.type = 'delivery.video_uploaded') as has_sent_video
from journeys j join personal_records p on p.journey_id = j.id join customers c on c.id = j.customer_id
  join companies o on o.id = j.company_id left join delivery_addresses a on a.journey_id = j.id
  left join lateral (
    select l.sealed_note from events e join journal l on l.journey_id = e.journey_id and l.version = e.version
    where e.journey_id = j.id and e.type = 'identity.failed'
    order by e.sequence desc limit 1
  ) f on true
where j.id = $1 and c.wrapped_key is not null`

const DetailsRow = rowModel({
  sealed: column.bytes,
  wrappedKey: column.bytes,
  companyName: column.text,
  address: column.orNull(column.bytes),
  rejection: column.orNull(column.bytes),
  hasSentVideo: column.bool
})

const keyStatement = `
select c.id, c.wrapped_key from journeys j join customers c on c.id = j.customer_id
where j.id = $1 and c.wrapped_key is not null`

const KeyRow = rowModel({ id: column.text, wrappedKey: column.bytes })

// A customer who is erased in between keeps no address.
const keepStatement = `
insert into delivery_addresses (journey_id, customer_id, sealed, at)
select $1, id, $3, $4 from customers where id = $2 and wrapped_key is not null
on conflict (journey_id) do update set sealed = excluded.sealed, at = excluded.at
returning journey_id`

/** What the pages need of the personal record, which holds everything that the start said. */
const Started = Schema.Struct({
  externalCompanyName: Schema.optionalKey(Schema.String),
  customer: Schema.Struct({ firstName: Schema.String }),
  vehicle: Schema.Struct({
    registration: Schema.String,
    make: Schema.optionalKey(Schema.String),
    model: Schema.optionalKey(Schema.String)
  }),
  finance: Schema.optionalKey(Schema.Struct({ addressHistory: Schema.optionalKey(Schema.Array(Schema.Unknown)) }))
})

const decodeRecord = Schema.decodeUnknownOption(Schema.fromJsonString(Started))

/** A record that does not decode is a defect. The report of the schema would hold personal data. */
const startedIn = (record: string): Effect.Effect<typeof Started.Type> =>
  Option.match(decodeRecord(record), {
    onNone: () => Effect.die(new Error("a personal record lacks what the pages show")),
    onSome: Effect.succeed
  })

/** The present address of an application, if the application has one. */
const presentAddress = ({ finance }: typeof Started.Type): DeliveryAddress | null => {
  const present = finance?.addressHistory?.find((entry) => memberOf(entry, "addressType") === "CURRENT")
  return present === undefined ? null : addressIn(present)
}

/** The address in what is stored, without the members that are no part of an address. */
const addressIn = (stored: unknown): DeliveryAddress | null => {
  const members = addressFields.map((field) => [field, memberOf(stored, field)] as const)
  return Result.getOrNull(decodeDeliveryAddress(Object.fromEntries(members.filter(([, value]) => value !== undefined))))
}

export const layer = Layer.effect(
  CustomerDetails,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    return CustomerDetails.of({
      read: Effect.fnUntraced(function* (journeyId) {
        const row = yield* storeRead(DetailsRow.first(sql.unsafe(readStatement, [journeyId])))
        if (row === null) return null
        const key = yield* Effect.orDie(vault.keyOf(row.wrappedKey))
        const record = yield* Effect.orDie(key.open(`personal_records|${journeyId}`, row.sealed))
        const address = row.address && (yield* Effect.orDie(key.open(addressPlace(journeyId), row.address)))
        const rejection = row.rejection && (yield* Effect.orDie(key.open(notePlace(journeyId), row.rejection)))
        const started = yield* startedIn(record)
        const vehicle = [started.vehicle.make, started.vehicle.model].filter((part) => part !== undefined).join(" ")
        return {
          companyName: row.companyName,
          sellerName: started.externalCompanyName ?? null,
          firstName: started.customer.firstName,
          registration: started.vehicle.registration,
          vehicle: vehicle === "" ? null : vehicle,
          address: address === null ? presentAddress(started) : addressIn(JSON.parse(address)),
          rejection,
          hasSentVideo: row.hasSentVideo
        } satisfies Details
      }),
      keepAddress: Effect.fnUntraced(function* (journeyId, address) {
        const customer = yield* storeRead(KeyRow.first(sql.unsafe(keyStatement, [journeyId])))
        if (customer === null) return false
        const key = yield* Effect.orDie(vault.keyOf(customer.wrappedKey))
        const now = yield* Clock.currentTimeMillis
        const kept = yield* repeatableWrite(
          sql.unsafe(keepStatement, [
            journeyId,
            customer.id,
            PgTypes.bytea(key.seal(addressPlace(journeyId), JSON.stringify(address))),
            new Date(now)
          ])
        )
        return kept.length > 0
      })
    })
  })
)
