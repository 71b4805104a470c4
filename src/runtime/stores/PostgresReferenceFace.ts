/** The photo that a journey's handover video is compared with (decision H3), opened from where the photo is kept sealed. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { selfiePlace } from "../../actors/checks/IdentityChecks.ts"
import { portraitPlace } from "../../actors/checks/ProviderResults.ts"
import { photoPlace } from "../../actors/journey/actor/JourneyStore.ts"
import { ReferenceFace } from "../../actors/checks/ReferenceFace.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { isVerified } from "./attemptStatements.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { storeRead } from "../postgres/storeCalls.ts"

const faceStatement = `
select c.wrapped_key, p.sealed as photo, a.id as attempt_id, a.sealed_selfie as selfie, r.id as result_id,
  r.sealed_portrait as portrait
from journeys j join customers c on c.id = j.customer_id
  left join customer_photos p on p.journey_id = j.id
  left join identity_attempts a on a.journey_id = j.id and a.sealed_selfie is not null and ${isVerified("j", "a")}
  left join provider_results r on r.journey_id = j.id and r.sealed_portrait is not null and ${isVerified("j", "r")}
where j.id = $1::uuid and c.wrapped_key is not null`

const FaceRow = rowModel({
  wrappedKey: column.bytes,
  photo: column.orNull(column.bytes),
  attemptId: column.orNull(column.text),
  selfie: column.orNull(column.bytes),
  resultId: column.orNull(column.text),
  portrait: column.orNull(column.bytes)
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
        const key = yield* Effect.orDie(vault.keyOf(row.wrappedKey))
        if (row.photo !== null) return yield* Effect.orDie(key.openBytes(photoPlace(journeyId), row.photo))
        if (row.portrait !== null && row.resultId !== null) {
          return yield* Effect.orDie(key.openBytes(portraitPlace(row.resultId), row.portrait))
        }
        if (row.selfie === null || row.attemptId === null) return null
        return yield* Effect.orDie(key.openBytes(selfiePlace(row.attemptId), row.selfie))
      })
    })
  })
)
