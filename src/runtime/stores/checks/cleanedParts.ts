/**
 * Cleans a video that was sent, and keeps the cleaned parts in PostgreSQL. While a video is cleaned they are kept beside the parts
 * that were sent, under numbers that no sent part has. In the transaction that makes the upload the journey's video they take the
 * place of the sent ones, which are deleted. Several nodes that clean one video at the same time write the same parts.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { UploadNotRead, UploadRefused } from "../../../actors/checks/uploads/Uploads.ts"
import type { Video } from "../../../actors/checks/video/Videos.ts"
import { customerKeyOf, type Vault } from "../../../actors/kernel/Vault.ts"
import { repeatableWrite } from "../../postgres/storeCalls.ts"
import type { VideoReader } from "../../video/VideoReader.ts"
import { partPlace } from "./uploadContent.ts"

/** The number of a cleaned video's first part before it takes the place of a sent part; these have far smaller ones. */
export const cleanedFrom = 1_000_000

/** The upload is held, so that no part comes after the video was finished. Nobody sent the part, so nobody sends it again: no digest. */
const keepStatement = `
with open as (
  select id from video_uploads where id = $1::uuid and completed_at is null for share
)
insert into video_chunks (upload_id, number, digest, bytes, sealed)
select id, $2::int4, '\\x', $3::int4, $4::bytea from open
on conflict (upload_id, number) do update set bytes = excluded.bytes, sealed = excluded.sealed`

const dropStatement = `
delete from video_chunks where upload_id = $1::uuid and (number < ${cleanedFrom} or number >= ${cleanedFrom} + $2::int4)`

const takePlaceStatement = `update video_chunks set number = number - ${cleanedFrom} where upload_id = $1::uuid`

const completeStatement = `
update video_uploads set completed_at = $2, seconds = $3, bytes = $4, chunks = $5
where id = $1 and completed_at is null and chunks = $6 returning id`

export interface CleanedVideo {
  readonly seconds: number
  readonly bytes: number
  readonly parts: number
}

/** Counts and keeps the parts of one video while it is cleaned. */
const keptParts = (
  sql: SqlClient.SqlClient,
  key: Effect.Success<ReturnType<Vault["Service"]["keyOf"]>>,
  uploadId: string
) => {
  const cleaned = { bytes: 0, parts: 0 }
  return {
    cleaned,
    keep: (part: Uint8Array) =>
      Effect.suspend(() => {
        const number = cleaned.parts
        cleaned.bytes += part.length
        cleaned.parts += 1
        const sealed = PgTypes.bytea(key.sealBytes(partPlace(uploadId, number), part))
        return repeatableWrite(sql.unsafe(keepStatement, [uploadId, cleanedFrom + number, part.length, sealed]))
      })
  }
}

/** Inside a transaction. False: somebody has changed the upload since it was cleaned. */
export const finishCleaned = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  uploadId: string,
  { bytes, parts, seconds }: CleanedVideo,
  sent: { readonly at: Date; readonly parts: number }
) {
  const values = [uploadId, sent.at, seconds, bytes, parts, sent.parts]
  const finished = yield* sql.unsafe(completeStatement, values)
  if (finished.length === 0) return false
  yield* sql.unsafe(dropStatement, [uploadId, parts])
  yield* sql.unsafe(takePlaceStatement, [uploadId])
  return true
})

interface Sent {
  readonly id: string
  readonly wrappedKey: Uint8Array
}

/** Keeps the cleaned video beside what was sent. What cannot be measured and cleaned now is not taken. */
export const cleanerIn = (sql: SqlClient.SqlClient, vault: Vault["Service"], reader: VideoReader["Service"]) =>
  Effect.fnUntraced(function* ({ id, wrappedKey }: Sent, video: Video) {
    const { cleaned, keep } = keptParts(sql, yield* customerKeyOf(vault, wrappedKey), id)
    const reading = yield* Effect.catchTag(reader.clean(video, keep), "VideoReaderUnavailable", ({ reason }) =>
      Effect.andThen(
        Effect.logWarning("A video cannot be measured now, and is not taken", { reason }),
        Effect.fail(new UploadNotRead({ reason }))
      )
    )
    if (reading._tag === "Refused") return yield* new UploadRefused(reading)
    return { ...cleaned, seconds: reading.seconds }
  })
