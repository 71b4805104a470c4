/** Photos that wait for an attempt at the identity check: finished uploads in PostgreSQL that are not too old. */
import { Clock, Duration, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { identityPhotos, type IdentityPhoto } from "../../../actors/checks/identity/judgePhotos.ts"
import { KeptPhotos, mediumOf } from "../../../actors/checks/identity/KeptPhotos.ts"
import { checkLimits } from "../../../actors/checks/limits.ts"
import type { PhotoMedium } from "../../../actors/checks/uploads/uploadRows.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { textArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { contentIn } from "./uploadContent.ts"

const keptStatement = `
select u.id, u.medium, u.chunks, c.wrapped_key
from video_uploads u join customers c on c.id = u.customer_id
where u.journey_id = $1 and u.medium <> 'VIDEO' and u.completed_at > $2 and c.wrapped_key is not null`

const KeptRow = rowModel({
  id: column.text,
  medium: column.oneOf(Schema.Literals(["DOCUMENT_PHOTO", "SELFIE"] satisfies ReadonlyArray<PhotoMedium>)),
  chunks: column.number,
  wrappedKey: column.bytes
})

const dropStatement = "delete from video_uploads where journey_id = $1 and medium = any($2::text[])"

export const layer = Layer.effect(
  KeptPhotos,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const open = contentIn(sql, yield* Vault)
    const keptFor = Duration.toMillis(checkLimits.photosKeptFor)

    const find = Effect.fnUntraced(function* (journeyId: JourneyId) {
      const since = new Date((yield* Clock.currentTimeMillis) - keptFor)
      return yield* storeRead(KeptRow.all(sql.unsafe(keptStatement, [journeyId, since])))
    })

    return KeptPhotos.of({
      names: (journeyId) =>
        Effect.map(find(journeyId), (rows) =>
          identityPhotos.filter((name) => rows.some(({ medium }) => medium === mediumOf[name]))
        ),
      read: Effect.fn("KeptPhotos.read")(function* (journeyId, photo) {
        const row = (yield* find(journeyId)).find(({ medium }) => medium === mediumOf[photo])
        if (row === undefined) return null
        return Buffer.concat(yield* Stream.runCollect((yield* open(row)).content))
      }),
      drop: (journeyId, photos: ReadonlyArray<IdentityPhoto>) =>
        photos.length === 0
          ? Effect.void
          : Effect.asVoid(
              storeWrite(sql.unsafe(dropStatement, [journeyId, textArray(photos.map((name) => mediumOf[name]))]))
            )
    })
  })
)
