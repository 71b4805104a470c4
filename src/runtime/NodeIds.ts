/** Ids from Effect's generators on the platform's secure random source. */
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Ids } from "../actors/journey/Ids.ts"

export const layer = Layer.succeed(Ids, {
  next: () => SecureRandom.uuidV7Unsafe(),
  unguessable: () => SecureRandom.uuidV4Unsafe()
})
