/**
 * Photos for reviewers, opened from where they are kept sealed: the photo that the caller sent with a finance sale, the
 * document and selfie of the check that waits for a decision, and, beside a video, the selfie that verified the customer; and
 * the portrait of an outside provider wherever a selfie would be.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { ReviewPictures } from "../../../actors/review/ReviewPictures.ts"
import { PictureName } from "../../../schema/review/Review.ts"
import { isResultUnderReview, isUnderReview, isVerified, isVerifiedPortrait } from "../checks/attemptStatements.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { picturePlace } from "../checks/picturePlace.ts"

// Other photos of this customer are no part of the review.
const pictures = `(
  select 'customer-photo' as name, p.sealed, p.journey_id as of from customer_photos p where p.journey_id = $1::uuid
  union all
  select v.name, v.sealed, a.id from identity_attempts a join journeys j on j.id = a.journey_id,
    lateral (values ('document', a.sealed_document), ('selfie', a.sealed_selfie)) v (name, sealed)
  where a.journey_id = $1::uuid and v.sealed is not null
    and (${isUnderReview("j", "a")} or v.name = 'selfie' and ${isVerified("j", "a")})
  union all
  select 'portrait', r.sealed_portrait, r.id from provider_results r join journeys j on j.id = r.journey_id
  where r.journey_id = $1::uuid and r.sealed_portrait is not null
    and (${isResultUnderReview("j", "r")} or ${isVerifiedPortrait("j", "r")})
) p join journeys j on j.id = $1::uuid join customers c on c.id = j.customer_id and c.wrapped_key is not null`

const namesStatement = `select p.name from ${pictures} order by p.name`
const openStatement = `select p.*, c.wrapped_key from ${pictures} where p.name = $2::text`

const NameRow = rowModel({ name: column.oneOf(PictureName) })

/** `of` is the id of the row that keeps the picture. */
const PictureRow = rowModel({
  name: column.oneOf(PictureName),
  sealed: column.bytes,
  of: column.text,
  wrappedKey: column.bytes
})

export const layer = Layer.effect(
  ReviewPictures,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    return ReviewPictures.of({
      names: ({ id }: Journey) =>
        Effect.map(storeRead(NameRow.all(sql.unsafe(namesStatement, [id]))), (rows) => rows.map(({ name }) => name)),
      open: Effect.fnUntraced(function* ({ id }, name) {
        const row = yield* storeRead(PictureRow.first(sql.unsafe(openStatement, [id, name])))
        if (row === null) return null
        // The key was checked when the service started, and the place is the photo's own: what does not open is damaged.
        const key = yield* customerKeyOf(vault, row.wrappedKey)
        return yield* Effect.orDie(key.openBytes(picturePlace(row.name, row.of), row.sealed))
      })
    })
  })
)
