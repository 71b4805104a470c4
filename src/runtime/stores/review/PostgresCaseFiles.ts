/**
 * What is kept of a journey for its case file, in PostgreSQL, opened with the customer's key: the start, the confirmed
 * address, attempts at the check, uploads and photos ($1 is the journey in every statement). Who may read it, and that the
 * read is written down, is decided by the endpoint. How long photos and videos are kept is decided by retention.
 */
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { addressPlace } from "../../../actors/customer/CustomerDetails.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { customerKeyOf, Vault, type DataKey, type Place } from "../../../actors/kernel/Vault.ts"
import { messagesOfCase } from "../../../actors/review/caseFile.ts"
import { CaseFiles, type CaseFacts } from "../../../actors/review/CaseFiles.ts"
import { AttemptId, type JourneyId } from "../../../schema/ids.ts"
import { JourneyMessage } from "../../../schema/journey/messages.ts"
import { DeliveryAddress } from "../../../schema/requests/deliveryAddress.ts"
import { PictureName } from "../../../schema/review/Review.ts"
import { storedStart } from "../../../schema/start/storedStart.ts"
import { textArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"
import { framesOfCase } from "./framesOfCase.ts"
import { applicationKeptUntil, customerKeptUntil, customersEnds } from "../erasure/retentionStatements.ts"
import { picturePlace } from "../checks/picturePlace.ts"

const recordStatement = `
select c.wrapped_key, p.sealed, a.sealed as address, a.at as address_at, j.ended_at, o.media_retention_days as kept_days,
  case when j.livemode then ${customerKeptUntil} end as customer_kept_until, ${applicationKeptUntil} as application_kept_until
from journeys j join companies o on o.id = j.company_id
  left join customers c on c.id = j.customer_id left join lateral (${customersEnds}) l on true
  left join personal_records p on p.journey_id = j.id
  left join delivery_addresses a on a.journey_id = j.id
where j.id = $1::uuid`

const RecordRow = rowModel({
  wrappedKey: column.orNull(column.bytes),
  sealed: column.orNull(column.bytes),
  address: column.orNull(column.bytes),
  addressAt: column.orNull(column.millis),
  endedAt: column.orNull(column.millis),
  keptDays: column.number,
  customerKeptUntil: column.orNull(column.millis),
  applicationKeptUntil: column.orNull(column.millis)
})

/** The newest $2 of a table's rows, the oldest of them first. */
const newest = (columns: string, from: string, order: string) =>
  `select * from (select ${columns} ${from} order by ${order} desc limit $2::int4) newest order by ${order}`

const attemptsStatement = newest("id, at, verdict", "from identity_attempts where journey_id = $1::uuid", "at")
const AttemptRow = rowModel({ id: column.id(AttemptId), at: column.millis, verdict: column.orNull(column.text) })

const heardStatement = newest(
  "version, message_id, sender, message, at",
  "from journal where journey_id = $1::uuid and message ->> '_tag' = any($3::text[])",
  "version"
)
const HeardRow = rowModel({
  messageId: column.text,
  sender: column.text,
  message: column.ofSchema(JourneyMessage),
  at: column.millis
})

const uploadsStatement = newest(
  "begun_at, completed_at, kind, seconds, bytes",
  "from video_uploads where journey_id = $1::uuid and medium = 'VIDEO'",
  "begun_at"
)
const UploadRow = rowModel({
  begunAt: column.millis,
  completedAt: column.orNull(column.millis),
  kind: column.orNull(column.text),
  seconds: column.orNull(column.number),
  bytes: column.wholeNumber
})

/** Every photo that is kept of the journey, whoever decided what on it. */
const pictures = `(
  select 'customer-photo' as name, sealed, journey_id as of, at from customer_photos where journey_id = $1::uuid
  union all
  select v.name, v.sealed, a.id, a.at from identity_attempts a,
    lateral (values ('document', a.sealed_document), ('selfie', a.sealed_selfie)) v (name, sealed)
  where a.journey_id = $1::uuid and v.sealed is not null
  union all
  select 'portrait', sealed_portrait, id, at from provider_results
  where journey_id = $1::uuid and sealed_portrait is not null
) p`

const picturesStatement = `select * from (select name, of, at from ${pictures} order by at desc, name limit $2::int4) n order by at, name`
const PictureRow = rowModel({ name: column.oneOf(PictureName), of: column.text })

const pictureStatement = `
select p.sealed, c.wrapped_key from ${pictures} join journeys j on j.id = $1::uuid join customers c on c.id = j.customer_id
where c.wrapped_key is not null and p.name = $2::text and p.of = $3::uuid`
const SealedRow = rowModel({ sealed: column.bytes, wrappedKey: column.bytes })

const decodeAddress = Schema.decodeUnknownSync(Schema.fromJsonString(DeliveryAddress), { disableChecks: true })

/** Opens what was sealed. The key was checked when the service started: what does not open is damaged. */
const opened = (key: DataKey, place: Place, sealed: Uint8Array) => Effect.orDie(key.open(place, sealed))

/** Of a customer who was erased. */
const nothingKept = {
  pictures: [],
  frames: [],
  reference: null,
  turns: null,
  customerKeptUntil: null,
  applicationKeptUntil: null,
  mediaKeptUntil: null
}

export const layer = Layer.effect(
  CaseFiles,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const personal = Effect.fnUntraced(function* (journeyId: JourneyId, row: ReturnType<typeof RecordRow.decodeRow>) {
      if (row.wrappedKey === null || row.sealed === null) return { start: null, address: null }
      const key = yield* customerKeyOf(vault, row.wrappedKey)
      const start = storedStart(JSON.parse(yield* opened(key, recordPlace(journeyId), row.sealed)))
      if (start === null) return yield* Effect.die(new Error("a personal record is no start"))
      if (row.address === null || row.addressAt === null) return { start, address: null }
      const address = yield* opened(key, addressPlace(journeyId), row.address)
      return { start, address: { value: decodeAddress(address), at: row.addressAt } }
    })

    return CaseFiles.of({
      read: Effect.fn("CaseFiles.read")(function* (journeyId) {
        const most = [journeyId, storeLimits.entriesOfCase]
        const found = yield* storeRead(
          Effect.gen(function* () {
            return {
              row: yield* RecordRow.first(sql.unsafe(recordStatement, [journeyId])),
              attempts: yield* AttemptRow.all(sql.unsafe(attemptsStatement, most)),
              heard: yield* HeardRow.all(sql.unsafe(heardStatement, [...most, textArray(messagesOfCase)])),
              uploads: yield* UploadRow.all(sql.unsafe(uploadsStatement, most)),
              ...(yield* framesOfCase(sql, journeyId)),
              pictures: yield* PictureRow.all(sql.unsafe(picturesStatement, most))
            }
          })
        )
        const { row, ...kept } = found
        if (row === null) return yield* Effect.die(new Error("a journey has gone while its case file was read"))
        return {
          ...(yield* personal(journeyId, row)),
          ...kept,
          customerKeptUntil: row.customerKeptUntil,
          applicationKeptUntil: row.applicationKeptUntil,
          mediaKeptUntil: row.endedAt && row.endedAt + Duration.toMillis(Duration.days(row.keptDays)),
          ...(row.wrappedKey === null ? nothingKept : {})
        } satisfies CaseFacts
      }),
      picture: Effect.fnUntraced(function* (journeyId, picture) {
        const values = [journeyId, picture.name, picture.of]
        const row = yield* storeRead(SealedRow.first(sql.unsafe(pictureStatement, values)))
        if (row === null) return null
        const key = yield* customerKeyOf(vault, row.wrappedKey)
        return yield* Effect.orDie(key.openBytes(picturePlace(picture.name, picture.of), row.sealed))
      })
    })
  })
)
