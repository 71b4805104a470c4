/**
 * Uploaded videos in PostgreSQL: each part sealed with the customer's key before it is written, so that no video is in
 * clear anywhere but in the memory of who looks at it. What a video is, its first bytes and `VideoReader.ts` say.
 */
import { sentVideoLimits } from "../../schema/media/limits.ts"
import { checkLimits } from "../../actors/checks/limits.ts"
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"
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
import { videoKind, type VideoKind } from "../../schema/media/videoHeader.ts"
import { uuid } from "../../schema/parameters.ts"
import { VideoReader } from "../video/VideoReader.ts"
import * as statements from "./videoStatements.ts"
import type { UploadRow, VideoRow } from "./videoStatements.ts"
import { storeRead, writeFailure } from "../postgres/storeCalls.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"

type Writing<A, E> = Effect.Effect<A, E | StoreUnavailable | CommitUnknown>

const partPlace = (uploadId: string, number: number): string => `video_chunks|${uploadId}|${number}`

export const layer = Layer.effect(
  Videos,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const reader = yield* VideoReader

    const run = <Row extends object>(statement: string, values: ReadonlyArray<unknown>) =>
      sql.unsafe<Row>(statement, values)
    const written = <A, E>(writing: Effect.Effect<A, E | SqlError>): Writing<A, E> =>
      Effect.catchIf(sql.withTransaction(writing), isSqlError, writeFailure)
    const keyOf = (wrapped: Uint8Array): Effect.Effect<DataKey> => Effect.orDie(vault.keyOf(wrapped))

    /** The journey is held until the transaction ends. */
    const awaited = Effect.fnUntraced(function* (journeyId: string) {
      const [row] = yield* run<{ readonly customer_id: string }>(statements.awaitedStatement, [journeyId])
      return row === undefined ? yield* new VideoNotAwaited() : row.customer_id
    })

    /** An upload that was completed stays; one that was not ends in time, whether it was removed already or not. */
    const uploadIn = Effect.fnUntraced(function* ([row]: ReadonlyArray<UploadRow>) {
      const begunAfter = (yield* Clock.currentTimeMillis) - Duration.toMillis(checkLimits.uploadOpenFor)
      const isOver = row?.completed_at === null && row.begun_at.getTime() <= begunAfter
      return row === undefined || isOver ? yield* new UploadGone() : row
    })
    const rowsOf = (statement: string, { journeyId, uploadId }: UploadOf) =>
      uuid.test(uploadId) && uuid.test(journeyId)
        ? run<UploadRow>(statement, [uploadId, journeyId])
        : Effect.succeed([])
    const upload = (of: UploadOf) => Effect.flatMap(storeRead(rowsOf(statements.uploadStatement, of)), uploadIn)
    const heldUpload = (of: UploadOf) => Effect.flatMap(rowsOf(statements.heldUploadStatement, of), uploadIn)
    const numbersIn = (uploadId: string) =>
      Effect.map(storeRead(run<{ readonly number: number }>(statements.numbersStatement, [uploadId])), (rows) =>
        rows.map(({ number }) => number)
      )

    const keep = Effect.fnUntraced(function* (of: UploadOf, { bytes, number, sha256 }: Chunk, kind: VideoKind | null) {
      const held = yield* heldUpload(of)
      const place = partPlace(of.uploadId, number)
      const digest = vault.index("request", `${place}|${sha256.toLowerCase()}`)
      const [known] = yield* run<{ readonly digest: Uint8Array }>(statements.digestStatement, [of.uploadId, number])
      if (known !== undefined) return Buffer.from(known.digest).equals(digest) ? undefined : yield* anotherPart
      if (held.completed_at !== null) return yield* new UploadGone()
      if (Number(held.bytes) + bytes.length > sentVideoLimits.largestBytes) return yield* tooLarge
      const key = yield* keyOf(held.wrapped_key)
      const sealed = PgTypes.bytea(key.sealBytes(place, bytes))
      const values = [of.uploadId, number, PgTypes.bytea(digest), bytes.length, sealed, kind]
      yield* run(statements.chunkStatement, values)
    })

    /** What cannot be measured now is taken as it is: the check will look at it again. */
    const secondsOf = Effect.fnUntraced(function* (video: Video) {
      const measured = yield* Effect.result(reader.measure(video))
      if (measured._tag === "Failure") {
        if (measured.failure._tag === "StoreUnavailable") return yield* measured.failure
        yield* Effect.logWarning("A video is taken without having been measured", { reason: measured.failure.reason })
        return null
      }
      const { success } = measured
      return success._tag === "Refused" ? yield* new VideoRefused(success) : success.seconds
    })

    const contentOf = (uploadId: string, chunks: number, key: DataKey): Video["content"] =>
      Stream.range(0, chunks - 1).pipe(
        Stream.mapEffect(
          Effect.fnUntraced(function* (number) {
            const read = run<{ readonly sealed: Uint8Array }>(statements.sealedStatement, [uploadId, number])
            const [row] = yield* storeRead(read)
            if (row === undefined) return yield* new StoreUnavailable({ cause: "the video was removed meanwhile" })
            return yield* Effect.orDie(key.openBytes(partPlace(uploadId, number), row.sealed))
          })
        )
      )

    const videoOf = Effect.fnUntraced(function* ({ bytes, chunks, id, kind, wrapped_key: wrapped }: VideoRow) {
      return { kind, bytes: Number(bytes), content: contentOf(id, chunks, yield* keyOf(wrapped)) } satisfies Video
    })

    const wholeVideo = Effect.fnUntraced(function* ({ uploadId }: UploadOf, row: UploadRow, chunks: number) {
      // Each number is there once, and they ascend.
      const numbers = yield* numbersIn(uploadId)
      const isWhole = chunks > 0 && numbers.length === chunks && numbers.at(-1) === chunks - 1
      return isWhole && row.kind !== null
        ? yield* videoOf({ ...row, id: uploadId, chunks, kind: row.kind })
        : yield* new VideoRefused({ code: "INCOMPLETE", rule: "must have arrived with all its parts" })
    })

    /** Somebody else may have finished it meanwhile, which is as good. */
    const finish = Effect.fnUntraced(function* (of: UploadOf, chunks: number, seconds: number | null) {
      // The journey first and then its upload, as `begin` holds them: the other way round each could wait for the other.
      const isAwaited = yield* Effect.as(awaited(of.journeyId), true).pipe(
        Effect.catchTag("VideoNotAwaited", () => Effect.succeed(false))
      )
      const held = yield* heldUpload(of)
      if (held.completed_at !== null) return
      if (!isAwaited) return yield* new VideoNotAwaited()
      yield* run(statements.replaceStatement, [of.journeyId])
      const at = new Date(yield* Clock.currentTimeMillis)
      const finished = yield* run(statements.completeStatement, [of.uploadId, at, seconds, chunks])
      if (finished.length === 0) return yield* new UploadGone()
    })

    const remove = (statement: string) => (before: number, atMost: number) =>
      withStatementTimeout(run(statement, [new Date(before), atMost])).pipe(
        Effect.map((rows) => rows.length),
        Effect.catch(writeFailure)
      )

    return Videos.of({
      begin: Effect.fn("Videos.begin")(function* (journeyId) {
        const uploadId = ids.unguessable()
        const now = yield* Clock.currentTimeMillis
        yield* written(
          Effect.gen(function* () {
            const customerId = yield* awaited(journeyId)
            yield* run(statements.voidStatement, [journeyId])
            yield* run(statements.beginStatement, [uploadId, journeyId, customerId, new Date(now)])
          })
        )
        return uploadId
      }),
      chunk: Effect.fn("Videos.chunk")(function* (of, chunk) {
        yield* written(keep(of, chunk, yield* judged(chunk)))
      }),
      state: Effect.fn("Videos.state")(function* (of) {
        const row = yield* upload(of)
        const chunks = yield* numbersIn(of.uploadId)
        return { isComplete: row.completed_at !== null, chunks, bytes: Number(row.bytes) }
      }),
      complete: Effect.fn("Videos.complete")(function* (of, chunks) {
        const row = yield* upload(of)
        if (row.completed_at !== null) return
        const video = yield* wholeVideo(of, row, chunks)
        yield* written(finish(of, chunks, yield* secondsOf(video)))
      }),
      read: Effect.fn("Videos.read")(function* (journeyId) {
        const [row] = yield* storeRead(run<VideoRow>(statements.videoStatement, [journeyId]))
        return row === undefined ? null : yield* videoOf(row)
      }),
      removeUnfinished: remove(statements.removeUnfinishedStatement),
      removeEnded: remove(statements.removeEndedStatement)
    })
  })
)

const anotherPart = new VideoRefused({ code: "WRONG_CHUNK", rule: "must be the same as the one that has its number" })

const tooLarge = new VideoRefused({
  code: "TOO_LARGE",
  rule: `must have at most ${sentVideoLimits.largestBytes} bytes`
})

const wrong = (rule: string) => new VideoRefused({ code: "WRONG_CHUNK", rule })

/** What the part alone shows; of the first one, the kind of the video. */
const judged = Effect.fnUntraced(function* ({ bytes, number, sha256 }: Chunk) {
  if (!Number.isInteger(number) || number < 0 || number >= sentVideoLimits.mostParts) {
    return yield* wrong(`must have a number from 0 to ${sentVideoLimits.mostParts - 1}`)
  }
  if (bytes.length === 0 || bytes.length > sentVideoLimits.largestPartBytes) {
    return yield* wrong(`must have 1 to ${sentVideoLimits.largestPartBytes} bytes`)
  }
  if (hash("sha256", bytes) !== sha256.toLowerCase()) {
    return yield* new VideoRefused({ code: "DAMAGED_CHUNK", rule: "must arrive as it was sent" })
  }
  if (number > 0) return null
  if (bytes.length < sentVideoLimits.kindBytes)
    return yield* wrong(`must have at least ${sentVideoLimits.kindBytes} bytes when it is the first one`)
  const kind = videoKind(bytes)
  return kind === "OTHER"
    ? yield* new VideoRefused({ code: "UNSUPPORTED", rule: "must be an MP4, QuickTime or WebM video" })
    : kind
})
