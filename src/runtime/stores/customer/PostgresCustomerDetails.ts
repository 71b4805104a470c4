/**
 * What the pages of a journey show its customer, opened with the customer's own key, and the delivery address that the
 * customer confirms, sealed with that key. Which page shows what is decided by the pages.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { addressPlace, CustomerDetails, type Details } from "../../../actors/customer/CustomerDetails.ts"
import { notePlace, recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { Brand } from "../../../schema/company/Brand.ts"
import { CompanyId } from "../../../schema/ids.ts"
import { stepsWithOpenAddress } from "../../../schema/journey/steps.ts"
import {
  addressFields,
  decodeDeliveryAddress,
  isSameAddress,
  type DeliveryAddress
} from "../../../schema/requests/deliveryAddress.ts"
import { memberOf } from "../../../schema/decoding/record.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"
import { lineAndNotice, lineParameters } from "../kernel/auditedChange.ts"

// The note of the last failed check is there when a reviewer rejected the check (D4).
const readStatement = `
select p.sealed, c.wrapped_key, o.name as company_name, o.media_retention_days, o.brand, a.sealed as address, f.sealed_note as rejection,
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
  mediaRetentionDays: column.number,
  brand: column.ofSchema(Brand),
  address: column.orNull(column.bytes),
  rejection: column.orNull(column.bytes),
  hasSentVideo: column.bool
})

const keyStatement = `
select c.id, c.wrapped_key, j.company_id from journeys j join customers c on c.id = j.customer_id
where j.id = $1 and c.wrapped_key is not null`

const KeyRow = rowModel({ id: column.text, wrappedKey: column.bytes, companyId: column.id(CompanyId) })

// The journey is held: a video that is announced at the same time comes before or after. A customer who is erased in between
// keeps no address. A confirmation that is sent twice before the journey has heard of it is no change.
const keepStatement = `
with journey as (
  select j.id, j.customer_id, j.step from journeys j join customers c on c.id = j.customer_id
  where j.id = $6 and j.step in (${stepsWithOpenAddress.map((step) => `'${step}'`).join(", ")}) and c.wrapped_key is not null
  for share of j
), kept as (
  insert into delivery_addresses (journey_id, customer_id, sealed, at)
  select id, customer_id, $7, $5 from journey
  on conflict (journey_id) do update set sealed = excluded.sealed, at = excluded.at
  returning journey_id
), changed as (
  select id from journey
  where step <> 'CONFIRM_ADDRESS' and exists (select from delivery_addresses where journey_id = journey.id)
), ${lineAndNotice}
select journey_id from kept`

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

const isPresent = (entry: unknown): boolean => memberOf(entry, "addressType") === "CURRENT"

/** The addresses of an application, if it has any: the present one first, and none twice. */
const addressesIn = ({ finance }: typeof Started.Type): ReadonlyArray<DeliveryAddress> => {
  const history = finance?.addressHistory ?? []
  const addresses = [...history.filter(isPresent), ...history.filter((entry) => !isPresent(entry))]
    .map(addressIn)
    .filter((address) => address !== null)
  return addresses.filter((address, at) => addresses.findIndex((other) => isSameAddress(other, address)) === at)
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
        const key = yield* customerKeyOf(vault, row.wrappedKey)
        const record = yield* Effect.orDie(key.open(recordPlace(journeyId), row.sealed))
        const address = row.address && (yield* Effect.orDie(key.open(addressPlace(journeyId), row.address)))
        const rejection = row.rejection && (yield* Effect.orDie(key.open(notePlace(journeyId), row.rejection)))
        const started = yield* startedIn(record)
        const vehicle = [started.vehicle.make, started.vehicle.model].filter((part) => part !== undefined).join(" ")
        return {
          companyName: row.companyName,
          mediaRetentionDays: row.mediaRetentionDays,
          brand: row.brand,
          sellerName: started.externalCompanyName ?? null,
          firstName: started.customer.firstName,
          registration: started.vehicle.registration,
          vehicle: vehicle === "" ? null : vehicle,
          confirmedAddress: address === null ? null : addressIn(JSON.parse(address)),
          addressesOnFile: addressesIn(started),
          rejection,
          hasSentVideo: row.hasSentVideo
        } satisfies Details
      }),
      keepAddress: Effect.fnUntraced(function* (journeyId, address) {
        const customer = yield* storeRead(KeyRow.first(sql.unsafe(keyStatement, [journeyId])))
        if (customer === null) return false
        const key = yield* customerKeyOf(vault, customer.wrappedKey)
        const at = yield* Clock.currentTimeMillis
        const line = { actor: "customer", action: "journey.address_changed", details: { journeyId }, at } as const
        const kept = yield* repeatableWrite(
          sql.unsafe(keepStatement, [
            ...lineParameters(customer.companyId, line),
            journeyId,
            PgTypes.bytea(key.seal(addressPlace(journeyId), JSON.stringify(address)))
          ])
        )
        return kept.length > 0
      })
    })
  })
)
