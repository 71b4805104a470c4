/** The photo that a journey's handover video is compared with (decision H3), opened from where the photo is kept sealed. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ReferenceFace } from "../../../actors/checks/video/ReferenceFace.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { PictureName } from "../../../schema/review/Review.ts"
import { isVerified, isVerifiedPortrait } from "./attemptStatements.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { picturePlace } from "./picturePlace.ts"

/** The reference of journey `j`, as its name, the row that keeps it, and when it came. */
export const referenceOfJourney = `(
  select 'customer-photo' as name, p.journey_id as of, p.sealed, p.at, 1 as preferred
  from customer_photos p where p.journey_id = j.id
  union all
  select 'portrait', r.id, r.sealed_portrait, r.at, 2
  from provider_results r where r.journey_id = j.id and r.sealed_portrait is not null and ${isVerifiedPortrait("j", "r")}
  union all
  select 'selfie', a.id, a.sealed_selfie, a.at, 3
  from identity_attempts a where a.journey_id = j.id and a.sealed_selfie is not null and ${isVerified("j", "a")}
  order by preferred limit 1
)`

const faceStatement = `
select c.wrapped_key, f.name, f.of, f.sealed
from journeys j join customers c on c.id = j.customer_id cross join lateral ${referenceOfJourney} f
where j.id = $1::uuid and c.wrapped_key is not null`

const FaceRow = rowModel({
  wrappedKey: column.bytes,
  name: column.oneOf(PictureName),
  of: column.text,
  sealed: column.bytes
})

export const layer = Layer.effect(
  ReferenceFace,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    return ReferenceFace.of({
      of: Effect.fn("ReferenceFace.of")(function* (journeyId) {
        const row = yield* storeRead(FaceRow.first(sql.unsafe(faceStatement, [journeyId])))
        if (row === null) return null
        const key = yield* customerKeyOf(vault, row.wrappedKey)
        const photo = yield* Effect.orDie(key.openBytes(picturePlace(row.name, row.of), row.sealed))
        return { name: row.name, of: row.of, photo }
      })
    })
  })
)
