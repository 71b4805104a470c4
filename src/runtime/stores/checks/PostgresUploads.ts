/**
 * Uploads of videos and photos in PostgreSQL. Each part is sealed with the customer's key before it is written: a file is in clear
 * only in the memory of the process that looks at it. What kind of file it is, its first bytes say (`uploadPart.ts`);
 * `VideoReader.ts` measures and cleans a video, and `cleanedParts.ts` keeps it.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { checkLimits } from "../../../actors/checks/limits.ts"
import { kindBegunBy } from "../../../actors/checks/uploads/uploadPart.ts"
import { uploadRow, type MediaKind, type Medium } from "../../../actors/checks/uploads/uploadRows.ts"
import {
  UploadGone,
  UploadNotAwaited,
  UploadRefused,
  Uploads,
  type Chunk,
  type UploadOf
} from "../../../actors/checks/uploads/Uploads.ts"
import { retryUntilKnown } from "../../../actors/kernel/commitOutcome.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { CommitUnknown, StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { imageHeader } from "../../../schema/media/imageHeader.ts"
import { uuid } from "../../../schema/uuid.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite, writeFailure } from "../../postgres/storeCalls.ts"
import { VideoReader } from "../../video/VideoReader.ts"
import { beginnerIn } from "./beginUpload.ts"
import { cleanedFrom, cleanerIn, finishCleaned, type CleanedVideo } from "./cleanedParts.ts"
import { useChallengeStatement } from "./PostgresVideoChallenges.ts"
import { makeSharedWork } from "./sharedWork.ts"
import { countBytes, refusePartOverBudget, today, uploadingSession } from "./uploadBudget.ts"
import { contentIn, partPlace } from "./uploadContent.ts"

/** Holds the journey until the transaction ends: two requests that change its uploads come one after the other. */
const awaitedStatement = `
select j.customer_id, j.livemode from journeys j join customers c on c.id = j.customer_id
where j.id = $1 and j.step = $2 and c.wrapped_key is not null
for no key update of j`

const AwaitedRow = rowModel({ customerId: column.text, livemode: column.bool })

const uploadStatement = `
select u.id, u.kind, u.bytes, u.chunks, u.begun_at, u.completed_at, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.id = $1 and u.journey_id = $2 and u.medium = $3 and c.wrapped_key is not null`

/** Parts of one upload are counted one after the other. */
const heldUploadStatement = `${uploadStatement} for update of u`

const kind = column.oneOf(Schema.Literals(["MP4", "WEBM", "JPEG", "PNG"] satisfies ReadonlyArray<MediaKind>))

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
), of_the_day as (${countBytes}
)
insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, $2, $3, $4, $5)`

const numbersStatement = "select number from video_chunks where upload_id = $1 and number < $2 order by number"
const NumberRow = rowModel({ number: column.number })

const replaceStatement = "delete from video_uploads where journey_id = $1 and medium = $2 and completed_at is not null"

const completeStatement = `
update video_uploads set completed_at = $2 where id = $1 and completed_at is null and chunks = $3
returning id`

/** Nothing else is dropped: somebody may have completed the upload meanwhile. */
const dropStatement = "delete from video_uploads where id = $1 and completed_at is null returning id"

const removeUnfinishedStatement = `
delete from video_uploads where id in (
  select id from video_uploads where completed_at is null and begun_at < $1 order by begun_at limit $2
) returning id`

export const removePhotosStatement = `
delete from video_uploads where id in (
  select id from video_uploads where medium <> 'VIDEO' and completed_at is not null and completed_at < $1 order by completed_at limit $2
) returning id`

const anotherPart = new UploadRefused({ code: "WRONG_CHUNK", rule: "must be the same as the one that has its number" })
const tooLarge = (medium: Medium) =>
  new UploadRefused({ code: "TOO_LARGE", rule: `must have at most ${uploadRow(medium).largestBytes} bytes` })
const incomplete = new UploadRefused({ code: "INCOMPLETE", rule: "must have arrived with all its parts" })

/** Uploads as they stand. */
const uploadsIn = (sql: SqlClient.SqlClient) => {
  /** An upload that was completed stays. Any other upload ends in time, whether retention has removed it or not. */
  const living = Effect.fnUntraced(function* (upload: Upload | null) {
    const begunAfter = (yield* Clock.currentTimeMillis) - Duration.toMillis(checkLimits.uploadOpenFor)
    const isOver = upload?.completedAt === null && upload.begunAt <= begunAfter
    return upload === null || isOver ? yield* new UploadGone() : upload
  })
  const uploadBy = (statement: string, { journeyId, medium, uploadId }: UploadOf) =>
    uuid.test(uploadId) && uuid.test(journeyId)
      ? UploadRow.first(sql.unsafe(statement, [uploadId, journeyId, medium]))
      : Effect.succeed(null)
  return {
    /** The customer and the mode of a journey that waits for such an upload. */
    awaited: Effect.fnUntraced(function* (journeyId: JourneyId, medium: Medium) {
      const journey = yield* AwaitedRow.first(sql.unsafe(awaitedStatement, [journeyId, uploadRow(medium).step]))
      return journey ?? (yield* new UploadNotAwaited())
    }),
    find: (of: UploadOf) => Effect.flatMap(storeRead(uploadBy(uploadStatement, of)), living),
    hold: (of: UploadOf) => Effect.flatMap(uploadBy(heldUploadStatement, of), living),
    /** The numbers of the parts that have arrived, ascending. */
    numbers: (uploadId: string) =>
      Effect.map(storeRead(NumberRow.all(sql.unsafe(numbersStatement, [uploadId, cleanedFrom]))), (rows) =>
        rows.map(({ number }) => number)
      )
  }
}

/** Keeps a part of an upload, inside a transaction. */
const keeperIn = (sql: SqlClient.SqlClient, vault: Vault["Service"]) =>
  Effect.fnUntraced(function* (of: UploadOf, { bytes, number, sha256 }: Chunk, begun: MediaKind | null) {
    const held = yield* uploadsIn(sql).hold(of)
    const place = partPlace(of.uploadId, number)
    const digest = vault.index("request", `${place}|${sha256.toLowerCase()}`)
    const known = yield* DigestRow.first(sql.unsafe(digestStatement, [of.uploadId, number]))
    // What was sent of a complete video is not there any more, so nobody can compare with it.
    if (held.completedAt !== null) return known === null ? yield* new UploadGone() : undefined
    if (known !== null) return Buffer.from(known.digest).equals(digest) ? undefined : yield* anotherPart
    if (held.bytes + bytes.length > uploadRow(of.medium).largestBytes) return yield* tooLarge(of.medium)
    yield* refusePartOverBudget(sql, of.journeyId)
    const key = yield* customerKeyOf(vault, held.wrappedKey)
    const sealed = PgTypes.bytea(key.sealBytes(place, bytes))
    const values = [of.uploadId, number, PgTypes.bytea(digest), bytes.length, sealed, begun]
    yield* sql.unsafe(chunkStatement, [...values, yield* today, yield* uploadingSession])
  })

/** A photo is small enough to be read at once. What it shows is judged by the check. */
const refuseUnreadable = Effect.fnUntraced(function* (content: Stream.Stream<Uint8Array, StoreUnavailable>) {
  const header = imageHeader(Buffer.concat(yield* Stream.runCollect(content)))
  if ("problem" in header) return yield* new UploadRefused({ code: "UNREADABLE", rule: header.problem })
  return null
})

/** Makes an upload the journey's video or photo, inside a transaction. Somebody else may have done so meanwhile. False: it is not kept. */
const finisherIn = (sql: SqlClient.SqlClient) => {
  const uploads = uploadsIn(sql)
  return Effect.fnUntraced(function* (of: UploadOf, chunks: number, cleaned: CleanedVideo | null) {
    // Holds the journey first and then the upload, as `begin` does: in the other order each could wait for the other.
    const awaited = yield* uploads
      .awaited(of.journeyId, of.medium)
      .pipe(Effect.catchTag("UploadNotAwaited", () => Effect.succeed(null)))
    const held = yield* uploads.hold(of)
    if (held.completedAt !== null) return true
    if (awaited === null) return yield* new UploadNotAwaited()
    yield* sql.unsafe(useChallengeStatement, [of.uploadId, new Date(yield* Clock.currentTimeMillis)])
    // The video of a test journey is read like any other, and compared with nothing (S7).
    if (!awaited.livemode && of.medium === "VIDEO") {
      yield* sql.unsafe(dropStatement, [of.uploadId])
      return false
    }
    yield* sql.unsafe(replaceStatement, [of.journeyId, of.medium])
    const at = new Date(yield* Clock.currentTimeMillis)
    const isFinished =
      cleaned === null
        ? (yield* sql.unsafe(completeStatement, [of.uploadId, at, chunks])).length > 0
        : yield* finishCleaned(sql, of.uploadId, cleaned, { at, parts: chunks })
    return isFinished ? true : yield* new UploadGone()
  })
}

export const layer = Layer.effect(
  Uploads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const uploads = uploadsIn(sql)
    const keep = keeperIn(sql, vault)
    const open = contentIn(sql, vault)
    const finish = finisherIn(sql)
    const { begin, beginUnlessBegun } = beginnerIn(sql)
    const clean = cleanerIn(sql, vault, yield* VideoReader)
    const once = yield* makeSharedWork<void, Effect.Error<ReturnType<Uploads["Service"]["complete"]>>>()

    const inTransaction = <A, E>(
      writing: Effect.Effect<A, E | SqlError>
    ): Effect.Effect<A, E | StoreUnavailable | CommitUnknown> =>
      Effect.catchIf(sql.withTransaction(writing), isSqlError, writeFailure)

    /** A transaction of unknown outcome is written again: it finds what it has written, or `again` does. */
    const known = <A, E>(writing: Effect.Effect<A, E | SqlError>, again = writing) =>
      retryUntilKnown(inTransaction(writing), inTransaction(again))

    const remove = (statement: string) => (before: number, atMost: number) =>
      Effect.map(storeWrite(sql.unsafe(statement, [new Date(before), atMost])), (rows) => rows.length)

    /** The cleaned video; null for a photo. Refuses an upload that is not whole or cannot be read. */
    const inspected = Effect.fnUntraced(function* (upload: Upload, chunks: number) {
      // The numbers ascend, and no number is there twice.
      const numbers = yield* uploads.numbers(upload.id)
      const isWhole = chunks > 0 && numbers.length === chunks && numbers.at(-1) === chunks - 1
      const { bytes, kind } = upload
      if (!isWhole || kind === null) return yield* incomplete
      const { content } = yield* open({ ...upload, chunks })
      return kind === "MP4" || kind === "WEBM"
        ? yield* clean(upload, { kind, bytes, content })
        : yield* refuseUnreadable(content)
    })

    /** The video of a test journey goes with the transaction: one that is gone after a commit of unknown outcome was taken. */
    const finishKnown = (of: UploadOf, chunks: number, cleaned: CleanedVideo | null) =>
      Effect.suspend(() => {
        let isTaken = false
        const taking = Effect.map(finish(of, chunks, cleaned), (isKept) => void (isTaken = !isKept))
        return known(
          taking,
          Effect.catchTag(taking, "UploadGone", (gone) => (isTaken ? Effect.void : Effect.fail(gone)))
        )
      })

    /** False: somebody has completed it meanwhile, or it was gone already. */
    const isDropped = (of: UploadOf) => {
      const drop = Effect.map(storeWrite(sql.unsafe(dropStatement, [of.uploadId])), (rows) => rows.length > 0)
      const isGone = Effect.as(uploads.find(of), false).pipe(Effect.catchTag("UploadGone", () => Effect.succeed(true)))
      return retryUntilKnown(
        drop,
        Effect.flatMap(drop, (dropped) => (dropped ? Effect.succeed(true) : isGone))
      )
    }

    const complete = Effect.fnUntraced(function* (of: UploadOf, chunks: number) {
      const upload = yield* uploads.find(of)
      if (upload.completedAt !== null) return
      const looked = yield* Effect.result(inspected(upload, chunks))
      if (looked._tag === "Success") return yield* finishKnown(of, chunks, looked.success)
      const { failure } = looked
      // Another upload may have replaced this one while it was read: then it is gone, and the store is there.
      if (failure._tag === "StoreUnavailable") yield* uploads.find(of)
      if (failure._tag !== "UploadRefused" || failure.code === "INCOMPLETE") return yield* failure
      // Looking again would show the same, and costs seconds of the one reader.
      if (yield* isDropped(of)) return yield* failure
      // Another node has completed it, and this one read it while its parts were replaced; or it is gone.
      yield* uploads.find(of)
    })

    return Uploads.of({
      begin: Effect.fn("Uploads.begin")(function* (journeyId, medium, challengeId = null) {
        const uploadId = ids.unguessable()
        const awaiting = (write: typeof begin) =>
          Effect.flatMap(uploads.awaited(journeyId, medium), ({ customerId }) =>
            write({ uploadId, journeyId, customerId, medium, challengeId })
          )
        yield* known(awaiting(begin), awaiting(beginUnlessBegun))
        return uploadId
      }),
      chunk: Effect.fn("Uploads.chunk")(function* (of, chunk) {
        yield* known(keep(of, chunk, yield* kindBegunBy(of.medium, chunk)))
      }),
      state: Effect.fn("Uploads.state")(function* (of) {
        const upload = yield* uploads.find(of)
        const chunks = yield* uploads.numbers(of.uploadId)
        return { isComplete: upload.completedAt !== null, chunks, bytes: upload.bytes }
      }),
      complete: Effect.fn("Uploads.complete")((of, chunks) => once(JSON.stringify([of, chunks]), complete(of, chunks))),
      removeUnfinished: remove(removeUnfinishedStatement),
      removePhotos: remove(removePhotosStatement)
    })
  })
)
