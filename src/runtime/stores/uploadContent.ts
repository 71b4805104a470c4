/** The content of a finished upload, opened part by part while somebody reads it. It is in clear only in that reader's memory. */
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { customerKeyOf, type Vault } from "../../actors/kernel/Vault.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"

const sealedStatement = "select sealed from video_chunks where upload_id = $1 and number = $2"
const SealedRow = rowModel({ sealed: column.bytes })

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
      const opened = Effect.fnUntraced(function* (number: number) {
        const part = yield* storeRead(SealedRow.first(sql.unsafe(sealedStatement, [id, number])))
        if (part === null) return yield* new StoreUnavailable({ cause: "the upload was removed meanwhile" })
        return yield* Effect.orDie(key.openBytes(partPlace(id, number), part.sealed))
      })
      return {
        content: Stream.mapEffect(Stream.range(0, chunks - 1), opened),
        part: (from, end) =>
          Stream.fromIterableEffect(storeRead(SizeRow.all(sql.unsafe(sizesStatement, [id])))).pipe(
            Stream.mapAccum(
              () => 0,
              (at, { bytes, number }) => [at + bytes, [{ at, bytes, number }]] as const
            ),
            Stream.filter(({ at, bytes }) => at < end && at + bytes > from),
            Stream.mapEffect(({ at, number }) =>
              Effect.map(opened(number), (part) => part.subarray(Math.max(0, from - at), end - at))
            )
          )
      }
    })
