/** What customers and checks leave beside a journey, kept as the service keeps it: attempts, addresses, videos. Not a test itself. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { documentPlace, selfiePlace } from "../../../../src/actors/checks/identity/IdentityChecks.ts"
import { VideoFrames, type NamedPhoto, type SeenFrame } from "../../../../src/actors/checks/video/VideoFrames.ts"
import { addressPlace } from "../../../../src/actors/customer/CustomerDetails.ts"
import { photoPlace } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { make as makeVault } from "../../../../src/runtime/keys/AesVault.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import type { Service } from "../../../support/service.ts"
import { AttemptId } from "../../../../src/schema/ids.ts"

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
  reasons: ReadonlyArray<string>,
  photos: { readonly document: Uint8Array; readonly selfie: Uint8Array } = {
    document: Buffer.from("a document"),
    selfie: Buffer.from(`a ${verdict} selfie`)
  }
) => {
  const { customerId, key } = await keyOf(service, journeyId)
  const id = AttemptId.make(randomUUID())
  await service.query(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_document, sealed_selfie)
     values ($1, $2, $3, 0, now(), $4, decode($5, 'hex'), decode($6, 'hex'))`,
    [
      id,
      journeyId,
      customerId,
      verdict,
      verdict === "UNCLEAR" ? hex(key.sealBytes(documentPlace(id), photos.document)) : null,
      hex(key.sealBytes(selfiePlace(id), photos.selfie))
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

/** Keeps a photo as that of a finance sale is kept. */
export const keepPhoto = async (service: Rows, journeyId: string, photo: Uint8Array = Buffer.from("a photo")) => {
  const { customerId, key } = await keyOf(service, journeyId)
  await service.query(
    "insert into customer_photos (journey_id, customer_id, sealed, at) values ($1, $2, decode($3, 'hex'), now())",
    [journeyId, customerId, hex(key.sealBytes(photoPlace(JourneyId.make(journeyId)), photo))]
  )
}

export const keptVideo = Buffer.from("a video of the handover")

/** Keeps a finished video in parts, as uploads do, and answers its id. */
export const keepVideo = async (
  service: Rows,
  journeyId: string,
  parts: ReadonlyArray<Uint8Array> = [keptVideo],
  kind: "MP4" | "WEBM" = "WEBM"
) => {
  const { customerId, key } = await keyOf(service, journeyId)
  const upload = randomUUID()
  const bytes = parts.reduce((total, { length }) => total + length, 0)
  await service.query(
    `insert into video_uploads (id, journey_id, customer_id, kind, bytes, chunks, seconds, begun_at, completed_at)
     values ($1, $2, $3, $4, $5, $6, 12.5, now(), now())`,
    [upload, journeyId, customerId, kind, bytes, parts.length]
  )
  for (const [number, part] of parts.entries()) {
    await service.query(
      "insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, $2, '', $3, decode($4, 'hex'))",
      [upload, number, part.length, hex(key.sealBytes(`video_chunks|${upload}|${number}`, part))]
    )
  }
  return upload
}

/** Keeps frames of a video, as the check does, each of them a picture of its own number. */
export const keepFrames = async (
  service: Pick<Service, "run">,
  videoId: string,
  frames: ReadonlyArray<Omit<SeenFrame, "jpeg">>,
  reference: NamedPhoto | null
) => {
  const kept = frames.map((frame, at) => ({ ...frame, jpeg: Buffer.from(`frame ${at + 1}`) }))
  await service.run(Effect.flatMap(VideoFrames, (all) => all.keep(videoId, kept, reference)))
}
