/**
 * The effect DELETE_BIOMETRICS: one attempt to delete every photo and video of a journey whose customer has withdrawn their
 * consent (D7). An attempt that breaks off has deleted a part; the next attempt deletes the rest.
 */
import { Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { Biometrics } from "../checks/Biometrics.ts"
import type { EffectFailed } from "../journey/actor/Effects.ts"
import { failingForNow } from "./failingForNow.ts"

export const deleteBiometrics = (
  journeyId: JourneyId,
  serial: number
): Effect.Effect<JourneyMessage, EffectFailed, Biometrics> =>
  Effect.flatMap(Biometrics, (biometrics) => failingForNow(biometrics.delete(journeyId))).pipe(
    Effect.as({ _tag: "OwedDone", serial, kind: "DELETE_BIOMETRICS" } as const)
  )
