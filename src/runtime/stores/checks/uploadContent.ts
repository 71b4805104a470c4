/**
 * The content of a finished upload, opened part by part while somebody reads it. It is in clear only in that reader's memory. A part is
 * read and opened in pieces: the event loop would otherwise do nothing else while a whole one comes from the database and is opened.
 */
import { Effect, Semaphore, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { customerKeyOf, type Vault } from "../../../actors/kernel/Vault.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"

const { sealedPieceBytes } = storeLimits

/** What is sealed is stored as it is, not compressed, so PostgreSQL reads no more than the piece. */
const pieceStatement = `
select substring(sealed from $3::int4 for ${sealedPieceBytes}) as sealed from video_chunks where upload_id = $1 and number = $2`

const sealedStatement = "select sealed from video_chunks where upload_id = $1 and number = $2"
const SealedRow = rowModel({ sealed: column.bytes })

/** All readers of a node take turns for each piece: the more of them read at once, the more pieces would come in one turn of the event loop. */
const inTurn = Semaphore.makeUnsafe(1).withPermits(1)

export const partPlace = (uploadId: string, number: number): string => `video_chunks|${uploadId}|${number}`

interface StoredUpload {
  readonly id: string
  readonly chunks: number
  readonly wrappedKey: Uint8Array
}

const sizesStatement = "select number, bytes from video_chunks where upload_id = $1 order by number"
const SizeRow = rowModel({ number: column.number, bytes: column.number })

interface Content {
  readonly content: Stream.Stream<Uint8Array, StoreUnavailable>
  /** The bytes from `from` up to `end`, which is not among them. */
  readonly part: (from: number, end: number) => Stream.Stream<Uint8Array, StoreUnavailable>
}

export const contentIn =
  (sql: SqlClient.SqlClient, vault: Vault["Service"]) =>
  ({ chunks, id, wrappedKey }: StoredUpload): Effect.Effect<Content, StoreUnavailable> =>
    Effect.map(customerKeyOf(vault, wrappedKey), (key) => {
      const sealed = Effect.fnUntraced(function* (statement: string, values: ReadonlyArray<unknown>) {
        const row = yield* storeRead(SealedRow.first(sql.unsafe(statement, values)))
        return row === null ? yield* new StoreUnavailable({ cause: "the upload was removed meanwhile" }) : row.sealed
      })
      const openedInPieces = Effect.fnUntraced(function* (number: number) {
        const opening = key.openPieces(partPlace(id, number))
        for (let from = 1; ; from += sealedPieceBytes) {
          const piece = yield* inTurn(
            Effect.tap(sealed(pieceStatement, [id, number, from]), (read) => opening.add(read))
          )
          if (piece.length < sealedPieceBytes) return yield* opening.end
        }
      })
      const openedAtOnce = (number: number) =>
        Effect.flatMap(sealed(sealedStatement, [id, number]), (whole) =>
          Effect.map(Effect.orDie(key.openBytes(partPlace(id, number), whole)), (part) => [part])
        )
      /** Between two pieces a cleaned part may take the place of one that was sent: pieces of both open to nothing. */
      const opened = (number: number): Effect.Effect<ReadonlyArray<Uint8Array>, StoreUnavailable> =>
        Effect.catchTag(openedInPieces(number), "Unopenable", () => openedAtOnce(number))
      return {
        content: pieceByPiece(Stream.mapEffect(Stream.range(0, chunks - 1), opened)),
        part: (from, end) =>
          Stream.fromIterableEffect(storeRead(SizeRow.all(sql.unsafe(sizesStatement, [id])))).pipe(
            Stream.mapAccum(
              () => 0,
              (at, { bytes, number }) => [at + bytes, [{ at, bytes, number }]] as const
            ),
            Stream.filter(({ at, bytes }) => at < end && at + bytes > from),
            Stream.mapEffect(({ at, number }) =>
              Effect.map(opened(number), (pieces) => cutTo(pieces, Math.max(0, from - at), end - at))
            ),
            pieceByPiece
          )
      }
    })

/** The server puts together what a stream has at once: a whole part again, in memory that is fresh. So the stream has one piece at a time. */
const pieceByPiece = <E>(parts: Stream.Stream<ReadonlyArray<Uint8Array>, E>): Stream.Stream<Uint8Array, E> =>
  Stream.flatMap(parts, (pieces) => Stream.fromIterable(pieces, { chunkSize: 1 }))

/** Of bytes that come in pieces those from `from` up to `end`. */
const cutTo = (pieces: ReadonlyArray<Uint8Array>, from: number, end: number): ReadonlyArray<Uint8Array> => {
  let at = 0
  return pieces.flatMap((piece) => {
    const cut = piece.subarray(Math.max(0, from - at), Math.max(0, end - at))
    at += piece.length
    return cut.length === 0 ? [] : [cut]
  })
}
