/** What customers and checks leave beside a journey, kept as the service keeps it: attempts, addresses, videos. Not a test itself. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { documentPlace, selfiePlace } from "../../../../src/actors/checks/IdentityChecks.ts"
import { addressPlace } from "../../../../src/actors/customer/CustomerDetails.ts"
import { make as makeVault } from "../../../../src/runtime/node/AesVault.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import type { Service } from "../../../support/service.ts"

type Rows = Pick<Service, "query">

const keyOf = async (service: Rows, journeyId: string) => {
  const [row] = await service.query<{ readonly id: string; readonly wrapped_key: Uint8Array }>(
    "select c.id, c.wrapped_key from journeys j join customers c on c.id = j.customer_id where j.id = $1",
    [journeyId]
  )
  if (row === undefined) throw new Error("no customer")
  const vault = makeVault(Buffer.alloc(32, 7))
  return { customerId: row.id, key: await Effect.runPromise(vault.keyOf(row.wrapped_key)) }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

/** Keeps an attempt as the built-in check does, and lets the journey hear of it. */
export const keepAttempt = async (
  service: Rows,
  journeyId: string,
  verdict: "SAME" | "UNCLEAR",
  tag: string,
  reasons: ReadonlyArray<string>
) => {
  const { customerId, key } = await keyOf(service, journeyId)
  const id = randomUUID()
  await service.query(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_document, sealed_selfie)
     values ($1, $2, $3, 0, now(), $4, decode($5, 'hex'), decode($6, 'hex'))`,
    [
      id,
      journeyId,
      customerId,
      verdict,
      verdict === "UNCLEAR" ? hex(key.sealBytes(documentPlace(id), Buffer.from("a document"))) : null,
      hex(key.sealBytes(selfiePlace(id), Buffer.from(`a ${verdict} selfie`)))
    ]
  )
  await service.query(
    `with heard as (update journeys set version = version + 1 where id = $1 returning id, version)
     insert into journal (journey_id, version, message_id, sender, message, at)
     select id, version, $2, 'identity', $3::json, clock_timestamp() from heard`,
    [journeyId, id, JSON.stringify({ _tag: tag, ...(reasons.length === 0 ? {} : { reasons }) })]
  )
  return id
}

export const keepAddress = async (service: Rows, journeyId: string, address: object) => {
  const { customerId, key } = await keyOf(service, journeyId)
  await service.query(
    "insert into delivery_addresses (journey_id, customer_id, sealed, at) values ($1, $2, decode($3, 'hex'), now())",
    [journeyId, customerId, hex(key.seal(addressPlace(JourneyId.make(journeyId)), JSON.stringify(address)))]
  )
}

export const keptVideo = Buffer.from("a video of the handover")

export const keepVideo = async (service: Rows, journeyId: string) => {
  const { customerId, key } = await keyOf(service, journeyId)
  const upload = randomUUID()
  await service.query(
    `insert into video_uploads (id, journey_id, customer_id, kind, bytes, chunks, seconds, begun_at, completed_at)
     values ($1, $2, $3, 'WEBM', $4, 1, 12.5, now(), now())`,
    [upload, journeyId, customerId, keptVideo.length]
  )
  await service.query(
    "insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, 0, '', $2, decode($3, 'hex'))",
    [upload, keptVideo.length, hex(key.sealBytes(`video_chunks|${upload}|0`, keptVideo))]
  )
}
