/** Which photo is a journey's reference (decision H3), opened from where it is kept sealed. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { selfiePlace } from "../../actors/checks/IdentityChecks.ts"
import { photoPlace } from "../../actors/journey/actor/JourneyStore.ts"
import { ReferenceFace } from "../../actors/checks/ReferenceFace.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { isVerified } from "./attemptStatements.ts"
import { storeRead } from "../postgres/storeCalls.ts"

interface FaceRow {
  readonly wrapped_key: Uint8Array
  readonly photo: Uint8Array | null
  readonly attempt_id: string | null
  readonly selfie: Uint8Array | null
}

const faceStatement = `
select c.wrapped_key, p.sealed as photo, a.id as attempt_id, a.sealed_selfie as selfie
from journeys j join customers c on c.id = j.customer_id
  left join customer_photos p on p.journey_id = j.id
  left join identity_attempts a on a.journey_id = j.id and a.sealed_selfie is not null and ${isVerified("j", "a")}
where j.id = $1::uuid and c.wrapped_key is not null`

export const layer = Layer.effect(
  ReferenceFace,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    return ReferenceFace.of({
      of: Effect.fn("ReferenceFace.of")(function* (journeyId) {
        const [row] = yield* storeRead(sql.unsafe<FaceRow>(faceStatement, [journeyId]))
        if (row === undefined) return null
        const key = yield* Effect.orDie(vault.keyOf(row.wrapped_key))
        if (row.photo !== null) return yield* Effect.orDie(key.openBytes(photoPlace(journeyId), row.photo))
        if (row.selfie === null || row.attempt_id === null) return null
        return yield* Effect.orDie(key.openBytes(selfiePlace(row.attempt_id), row.selfie))
      })
    })
  })
)
