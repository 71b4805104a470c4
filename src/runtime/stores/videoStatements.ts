/** The statements of `PostgresVideos.ts`. Which of them share a transaction is decided there. */
import { mediaNotKept } from "./retentionStatements.ts"

/** The customer of a journey that waits for a video, with the journey held: two who change its video come one by one. */
export const awaitedStatement = `
select j.customer_id from journeys j join customers c on c.id = j.customer_id
where j.id = $1 and j.livemode and j.step = 'RECORD_VIDEO'
  and c.wrapped_key is not null
for no key update of j`

export const voidStatement = "delete from video_uploads where journey_id = $1 and completed_at is null"

export const beginStatement =
  "insert into video_uploads (id, journey_id, customer_id, begun_at) values ($1, $2, $3, $4)"

export interface UploadRow {
  readonly kind: "MP4" | "WEBM" | null
  /** A bigint, which comes as text. */
  readonly bytes: string
  readonly chunks: number
  readonly begun_at: Date
  readonly completed_at: Date | null
  readonly wrapped_key: Uint8Array
}

const upload = `
select u.kind, u.bytes, u.chunks, u.begun_at, u.completed_at, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.id = $1 and u.journey_id = $2 and c.wrapped_key is not null`

export const uploadStatement = upload

/** Parts of one upload are counted one by one. */
export const heldUploadStatement = `${upload} for update of u`

export const digestStatement = "select digest from video_chunks where upload_id = $1 and number = $2"

export const chunkStatement = `
with counted as (
  update video_uploads set bytes = bytes + $4, chunks = chunks + 1, kind = coalesce($6, kind) where id = $1
)
insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, $2, $3, $4, $5)`

export const numbersStatement = "select number from video_chunks where upload_id = $1 order by number"

export const replaceStatement = "delete from video_uploads where journey_id = $1 and completed_at is not null"

export const completeStatement = `
update video_uploads set completed_at = $2, seconds = $3 where id = $1 and completed_at is null and chunks = $4
returning id`

export interface VideoRow {
  readonly id: string
  readonly kind: "MP4" | "WEBM"
  readonly bytes: string
  readonly chunks: number
  readonly wrapped_key: Uint8Array
}

export const videoStatement = `
select u.id, u.kind, u.bytes, u.chunks, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.journey_id = $1 and u.completed_at is not null and c.wrapped_key is not null`

export const sealedStatement = "select sealed from video_chunks where upload_id = $1 and number = $2"

export const removeUnfinishedStatement = `
delete from video_uploads where id in (
  select id from video_uploads where completed_at is null and begun_at < $1 order by begun_at limit $2
) returning id`

/** A journey ended with its last event. */
export const removeEndedStatement = `
delete from video_uploads where id in (
  select u.id from video_uploads u join journeys j on j.id = u.journey_id join companies c on c.id = j.company_id
  where u.completed_at < $1 and ${mediaNotKept}
  order by u.completed_at limit $2
) returning id`
