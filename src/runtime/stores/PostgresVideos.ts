/**
 * Uploaded videos in PostgreSQL. Each part is sealed with the customer's key before it is written: a video is in clear only
 * in the memory of the process that looks at it. What kind of video it is, its first bytes say (`videoPart.ts`); how long it
 * is, `VideoReader.ts` measures.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { checkLimits } from "../../actors/checks/limits.ts"
import { kindBegunBy } from "../../actors/checks/videoPart.ts"
import {
  UploadGone,
  VideoNotAwaited,
  VideoRefused,
  Videos,
  type Chunk,
  type UploadOf,
  type Video
} from "../../actors/checks/Videos.ts"
import { Ids } from "../../actors/kernel/Ids.ts"
import { StoreUnavailable, type CommitUnknown } from "../../actors/kernel/StoreError.ts"
import { Vault, type DataKey } from "../../actors/kernel/Vault.ts"
import { sentVideoLimits } from "../../schema/media/limits.ts"
import type { VideoKind } from "../../schema/media/videoHeader.ts"
import { uuid } from "../../schema/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead, storeWrite, writeFailure } from "../postgres/storeCalls.ts"
import { VideoReader } from "../video/VideoReader.ts"
import { mediaNotKept } from "./retentionStatements.ts"

/** Holds the journey until the transaction ends: two requests that change its video come one after the other. */
const awaitedStatement = `
select j.customer_id from journeys j join customers c on c.id = j.customer_id
where j.id = $1 and j.livemode and j.step = 'RECORD_VIDEO' and c.wrapped_key is not null
for no key update of j`

const AwaitedRow = rowModel({ customerId: column.text })

const voidStatement = "delete from video_uploads where journey_id = $1 and completed_at is null"

const beginStatement = "insert into video_uploads (id, journey_id, customer_id, begun_at) values ($1, $2, $3, $4)"

const uploadStatement = `
select u.id, u.kind, u.bytes, u.chunks, u.begun_at, u.completed_at, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.id = $1 and u.journey_id = $2 and c.wrapped_key is not null`

/** Parts of one upload are counted one after the other. */
const heldUploadStatement = `${uploadStatement} for update of u`

const kind = column.oneOf(Schema.Literals(["MP4", "WEBM"] satisfies ReadonlyArray<VideoKind>))

const UploadRow = rowModel({
  id: column.text,
  kind: column.orNull(kind),
  bytes: column.wholeNumber,
  chunks: column.number,
  begunAt: column.millis,
  completedAt: column.orNull(column.millis),
  wrappedKey: column.bytes
})

type Upload = ReturnType<typeof UploadRow.decodeRow>

const digestStatement = "select digest from video_chunks where upload_id = $1 and number = $2"
const DigestRow = rowModel({ digest: column.bytes })

const chunkStatement = `
with counted as (
  update video_uploads set bytes = bytes + $4, chunks = chunks + 1, kind = coalesce($6, kind) where id = $1
)
insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, $2, $3, $4, $5)`

const numbersStatement = "select number from video_chunks where upload_id = $1 order by number"
const NumberRow = rowModel({ number: column.number })

const replaceStatement = "delete from video_uploads where journey_id = $1 and completed_at is not null"

const completeStatement = `
update video_uploads set completed_at = $2, seconds = $3 where id = $1 and completed_at is null and chunks = $4
returning id`

const videoStatement = `
select u.id, u.kind, u.bytes, u.chunks, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.journey_id = $1 and u.completed_at is not null and c.wrapped_key is not null`

const VideoRow = rowModel({
  id: column.text,
  kind,
  bytes: column.wholeNumber,
  chunks: column.number,
  wrappedKey: column.bytes
})

type StoredVideo = ReturnType<typeof VideoRow.decodeRow>

const sealedStatement = "select sealed from video_chunks where upload_id = $1 and number = $2"
const SealedRow = rowModel({ sealed: column.bytes })

const removeUnfinishedStatement = `
delete from video_uploads where id in (
  select id from video_uploads where completed_at is null and begun_at < $1 order by begun_at limit $2
) returning id`

const removeEndedStatement = `
delete from video_uploads where id in (
  select u.id from video_uploads u join journeys j on j.id = u.journey_id join companies c on c.id = j.company_id
  where u.completed_at < $1 and ${mediaNotKept}
  order by u.completed_at limit $2
) returning id`

const partPlace = (uploadId: string, number: number): string => `video_chunks|${uploadId}|${number}`

const anotherPart = new VideoRefused({ code: "WRONG_CHUNK", rule: "must be the same as the one that has its number" })
const tooLarge = new VideoRefused({
  code: "TOO_LARGE",
  rule: `must have at most ${sentVideoLimits.largestBytes} bytes`
})
const incomplete = new VideoRefused({ code: "INCOMPLETE", rule: "must have arrived with all its parts" })

/** Uploads as they stand. */
const uploadsIn = (sql: SqlClient.SqlClient) => {
  /** An upload that was completed stays. Any other upload ends in time, whether retention has removed it or not. */
  const living = Effect.fnUntraced(function* (upload: Upload | null) {
    const begunAfter = (yield* Clock.currentTimeMillis) - Duration.toMillis(checkLimits.uploadOpenFor)
    const isOver = upload?.completedAt === null && upload.begunAt <= begunAfter
    return upload === null || isOver ? yield* new UploadGone() : upload
  })
  const uploadBy = (statement: string, { journeyId, uploadId }: UploadOf) =>
    uuid.test(uploadId) && uuid.test(journeyId)
      ? UploadRow.first(sql.unsafe(statement, [uploadId, journeyId]))
      : Effect.succeed(null)
  return {
    /** The customer of a journey that waits for a video. */
    awaited: Effect.fnUntraced(function* (journeyId: string) {
      const journey = yield* AwaitedRow.first(sql.unsafe(awaitedStatement, [journeyId]))
      return journey === null ? yield* new VideoNotAwaited() : journey.customerId
    }),
    find: (of: UploadOf) => Effect.flatMap(storeRead(uploadBy(uploadStatement, of)), living),
    hold: (of: UploadOf) => Effect.flatMap(uploadBy(heldUploadStatement, of), living),
    /** The numbers of the parts that have arrived, ascending. */
    numbers: (uploadId: string) =>
      Effect.map(storeRead(NumberRow.all(sql.unsafe(numbersStatement, [uploadId]))), (rows) =>
        rows.map(({ number }) => number)
      )
  }
}

/** Keeps a part of an upload, inside a transaction. */
const keeperIn = (sql: SqlClient.SqlClient, vault: Vault["Service"]) =>
  Effect.fnUntraced(function* (of: UploadOf, { bytes, number, sha256 }: Chunk, begun: VideoKind | null) {
    const held = yield* uploadsIn(sql).hold(of)
    const place = partPlace(of.uploadId, number)
    const digest = vault.index("request", `${place}|${sha256.toLowerCase()}`)
    const known = yield* DigestRow.first(sql.unsafe(digestStatement, [of.uploadId, number]))
    if (known !== null) return Buffer.from(known.digest).equals(digest) ? undefined : yield* anotherPart
    if (held.completedAt !== null) return yield* new UploadGone()
    if (held.bytes + bytes.length > sentVideoLimits.largestBytes) return yield* tooLarge
    const key = yield* Effect.orDie(vault.keyOf(held.wrappedKey))
    const sealed = PgTypes.bytea(key.sealBytes(place, bytes))
    yield* sql.unsafe(chunkStatement, [of.uploadId, number, PgTypes.bytea(digest), bytes.length, sealed, begun])
  })

/** A stored video with its content, which is opened part by part while somebody reads it. */
const openerIn = (sql: SqlClient.SqlClient, vault: Vault["Service"]) => {
  const contentOf = (uploadId: string, chunks: number, key: DataKey): Video["content"] =>
    Stream.range(0, chunks - 1).pipe(
      Stream.mapEffect(
        Effect.fnUntraced(function* (number) {
          const part = yield* storeRead(SealedRow.first(sql.unsafe(sealedStatement, [uploadId, number])))
          if (part === null) return yield* new StoreUnavailable({ cause: "the video was removed meanwhile" })
          return yield* Effect.orDie(key.openBytes(partPlace(uploadId, number), part.sealed))
        })
      )
    )
  return ({ bytes, chunks, id, kind, wrappedKey }: StoredVideo): Effect.Effect<Video> =>
    Effect.map(Effect.orDie(vault.keyOf(wrappedKey)), (key) => ({ kind, bytes, content: contentOf(id, chunks, key) }))
}

/** How long the video is. A video that cannot be measured now is taken as it is: the check looks at it again. */
const secondsOf = Effect.fnUntraced(function* (reader: VideoReader["Service"], video: Video) {
  const measured = yield* Effect.result(reader.measure(video))
  if (measured._tag === "Failure") {
    if (measured.failure._tag === "StoreUnavailable") return yield* measured.failure
    yield* Effect.logWarning("A video is taken without having been measured", { reason: measured.failure.reason })
    return null
  }
  const { success } = measured
  return success._tag === "Refused" ? yield* new VideoRefused(success) : success.seconds
})

/** Makes an upload the journey's video, inside a transaction. Somebody else may have done so meanwhile. */
const finisherIn = (sql: SqlClient.SqlClient) => {
  const uploads = uploadsIn(sql)
  return Effect.fnUntraced(function* (of: UploadOf, chunks: number, seconds: number | null) {
    // Holds the journey first and then the upload, as `begin` does: in the other order each could wait for the other.
    const isAwaited = yield* Effect.as(uploads.awaited(of.journeyId), true).pipe(
      Effect.catchTag("VideoNotAwaited", () => Effect.succeed(false))
    )
    const held = yield* uploads.hold(of)
    if (held.completedAt !== null) return
    if (!isAwaited) return yield* new VideoNotAwaited()
    yield* sql.unsafe(replaceStatement, [of.journeyId])
    const at = new Date(yield* Clock.currentTimeMillis)
    const finished = yield* sql.unsafe(completeStatement, [of.uploadId, at, seconds, chunks])
    if (finished.length === 0) return yield* new UploadGone()
  })
}

export const layer = Layer.effect(
  Videos,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const reader = yield* VideoReader
    const uploads = uploadsIn(sql)
    const keep = keeperIn(sql, vault)
    const open = openerIn(sql, vault)
    const finish = finisherIn(sql)

    const inTransaction = <A, E>(
      writing: Effect.Effect<A, E | SqlError>
    ): Effect.Effect<A, E | StoreUnavailable | CommitUnknown> =>
      Effect.catchIf(sql.withTransaction(writing), isSqlError, writeFailure)

    const remove = (statement: string) => (before: number, atMost: number) =>
      Effect.map(storeWrite(sql.unsafe(statement, [new Date(before), atMost])), (rows) => rows.length)

    /** The video that an upload has become, if all its parts have arrived. */
    const wholeVideo = Effect.fnUntraced(function* (upload: Upload, chunks: number) {
      // The numbers ascend, and no number is there twice.
      const numbers = yield* uploads.numbers(upload.id)
      const isWhole = chunks > 0 && numbers.length === chunks && numbers.at(-1) === chunks - 1
      return isWhole && upload.kind !== null ? yield* open({ ...upload, chunks, kind: upload.kind }) : yield* incomplete
    })

    return Videos.of({
      begin: Effect.fn("Videos.begin")(function* (journeyId) {
        const uploadId = ids.unguessable()
        const now = yield* Clock.currentTimeMillis
        yield* inTransaction(
          Effect.gen(function* () {
            const customerId = yield* uploads.awaited(journeyId)
            yield* sql.unsafe(voidStatement, [journeyId])
            yield* sql.unsafe(beginStatement, [uploadId, journeyId, customerId, new Date(now)])
          })
        )
        return uploadId
      }),
      chunk: Effect.fn("Videos.chunk")(function* (of, chunk) {
        yield* inTransaction(keep(of, chunk, yield* kindBegunBy(chunk)))
      }),
      state: Effect.fn("Videos.state")(function* (of) {
        const upload = yield* uploads.find(of)
        const chunks = yield* uploads.numbers(of.uploadId)
        return { isComplete: upload.completedAt !== null, chunks, bytes: upload.bytes }
      }),
      complete: Effect.fn("Videos.complete")(function* (of, chunks) {
        const upload = yield* uploads.find(of)
        if (upload.completedAt !== null) return
        const video = yield* wholeVideo(upload, chunks)
        yield* inTransaction(finish(of, chunks, yield* secondsOf(reader, video)))
      }),
      read: Effect.fn("Videos.read")(function* (journeyId) {
        const video = yield* storeRead(VideoRow.first(sql.unsafe(videoStatement, [journeyId])))
        return video === null ? null : yield* open(video)
      }),
      removeUnfinished: remove(removeUnfinishedStatement),
      removeEnded: remove(removeEndedStatement)
    })
  })
)
