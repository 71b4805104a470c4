/** The content of a finished upload, opened part by part while somebody reads it. It is in clear only in that reader's memory. */
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import type { Vault } from "../../actors/kernel/Vault.ts"
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

export const contentIn =
  (sql: SqlClient.SqlClient, vault: Vault["Service"]) =>
  ({ chunks, id, wrappedKey }: StoredUpload): Effect.Effect<Stream.Stream<Uint8Array, StoreUnavailable>> =>
    Effect.map(Effect.orDie(vault.keyOf(wrappedKey)), (key) =>
      Stream.range(0, chunks - 1).pipe(
        Stream.mapEffect(
          Effect.fnUntraced(function* (number) {
            const part = yield* storeRead(SealedRow.first(sql.unsafe(sealedStatement, [id, number])))
            if (part === null) return yield* new StoreUnavailable({ cause: "the upload was removed meanwhile" })
            return yield* Effect.orDie(key.openBytes(partPlace(id, number), part.sealed))
          })
        )
      )
    )
