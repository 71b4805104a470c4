/**
 * Stands where the photo check will be. Test journeys take any JPEG or PNG, unlooked at; a live journey must not begin
 * with a face nobody has checked, so live photos are answered "later".
 */
import { Effect, Layer } from "effect"
import { FaceCheck, FaceCheckUnavailable } from "../actors/journey/FaceCheck.ts"

export const layer = Layer.succeed(FaceCheck, {
  check: (_photo, livemode) => (livemode ? Effect.fail(new FaceCheckUnavailable()) : Effect.void)
})
