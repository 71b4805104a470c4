/** What is on file of a customer, opened with their key; and the delivery address they confirm, sealed with it. */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { addressPlace, CustomerDetails, type Details } from "../../actors/customer/CustomerDetails.ts"
import { notePlace } from "../../actors/journey/actor/JourneyStore.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { addressFields, decodeDeliveryAddress, type DeliveryAddress } from "../../schema/journey/deliveryAddress.ts"
import { memberOf } from "../../schema/start/record.ts"
import type { StartRequest } from "../../schema/start/startBodies.ts"
import { repeatableWrite, storeRead } from "../postgres/storeCalls.ts"

const readStatement = `
select p.sealed, c.wrapped_key, o.name as company_name, a.sealed as address, f.sealed_note as rejection,
  exists (select from journal l where l.journey_id = j.id and l.message ->> '_tag' = 'VideoUploaded') as has_sent_video
from journeys j join personal_records p on p.journey_id = j.id join customers c on c.id = j.customer_id
  join companies o on o.id = j.company_id left join delivery_addresses a on a.journey_id = j.id
  left join lateral (
    select l.sealed_note from journal l where l.journey_id = j.id and l.message ->> '_tag' = 'IdentityFailed'
    order by l.version desc limit 1
  ) f on true
where j.id = $1 and c.wrapped_key is not null`

const keyStatement = `
select c.id, c.wrapped_key from journeys j join customers c on c.id = j.customer_id
where j.id = $1 and c.wrapped_key is not null`

// A customer who is erased in between keeps no address.
const keepStatement = `
insert into delivery_addresses (journey_id, customer_id, sealed, at)
select $1, id, $3, $4 from customers where id = $2 and wrapped_key is not null
on conflict (journey_id) do update set sealed = excluded.sealed, at = excluded.at
returning journey_id`

interface ReadRow {
  readonly sealed: Uint8Array
  readonly wrapped_key: Uint8Array
  readonly company_name: string
  readonly address: Uint8Array | null
  readonly rejection: Uint8Array | null
  readonly has_sent_video: boolean
}

interface KeyRow {
  readonly id: string
  readonly wrapped_key: Uint8Array
}

/** The present address of an application that has one. */
const addressOf = (request: StartRequest): DeliveryAddress | null => {
  const history = memberOf(memberOf(request, "finance"), "addressHistory")
  const current = Array.isArray(history)
    ? history.find((entry: unknown) => memberOf(entry, "addressType") === "CURRENT")
    : undefined
  return current === undefined ? null : decoded(current)
}

/** Of what is stored only the address, and nothing where it holds none. */
const decoded = (stored: unknown): DeliveryAddress | null => {
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
        const [row] = yield* storeRead(sql.unsafe<ReadRow>(readStatement, [journeyId]))
        if (row === undefined) return null
        const key = yield* Effect.orDie(vault.keyOf(row.wrapped_key))
        const record = yield* Effect.orDie(key.open(`personal_records|${journeyId}`, row.sealed))
        const address = row.address && (yield* Effect.orDie(key.open(addressPlace(journeyId), row.address)))
        const rejection = row.rejection && (yield* Effect.orDie(key.open(notePlace(journeyId), row.rejection)))
        // What the start wrote, it had decoded before.
        const request = JSON.parse(record) as StartRequest
        const vehicle = [request.vehicle.make, request.vehicle.model].filter((part) => part !== undefined).join(" ")
        return {
          companyName: row.company_name,
          sellerName: request.externalCompanyName ?? null,
          firstName: request.customer.firstName,
          registration: request.vehicle.registration,
          vehicle: vehicle === "" ? null : vehicle,
          address: address === null ? addressOf(request) : decoded(JSON.parse(address)),
          rejection,
          hasSentVideo: row.has_sent_video
        } satisfies Details
      }),
      keepAddress: Effect.fnUntraced(function* (journeyId, address) {
        const [row] = yield* storeRead(sql.unsafe<KeyRow>(keyStatement, [journeyId]))
        if (row === undefined) return false
        const key = yield* Effect.orDie(vault.keyOf(row.wrapped_key))
        const now = yield* Clock.currentTimeMillis
        const kept = yield* repeatableWrite(
          sql.unsafe(keepStatement, [
            journeyId,
            row.id,
            PgTypes.bytea(key.seal(addressPlace(journeyId), JSON.stringify(address))),
            new Date(now)
          ])
        )
        return kept.length > 0
      })
    })
  })
)
