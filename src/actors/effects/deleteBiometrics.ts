/**
 * The effect DELETE_BIOMETRICS: one attempt to delete every photo and video of a journey whose customer has withdrawn their
 * consent (D7), up to when they were asked anew. An attempt that breaks off has deleted a part; the next attempt deletes the rest.
 */
import { Effect } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { Biometrics } from "../checks/Biometrics.ts"
import type { EffectFailed } from "../journey/actor/Effects.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { failingForNow } from "./failingForNow.ts"

/** Null: the customer was not asked anew. */
const boundOf = ({ owed }: Journey, serial: number): number | null => {
  const effect = owed.find((one) => one.serial === serial)
  return effect?.kind === "DELETE_BIOMETRICS" ? (effect.before ?? null) : null
}

export const deleteBiometrics = (
  journey: Journey,
  serial: number
): Effect.Effect<JourneyMessage, EffectFailed, Biometrics> =>
  Effect.flatMap(Biometrics, (biometrics) =>
    failingForNow(biometrics.delete(journey.id, boundOf(journey, serial)))
  ).pipe(Effect.as({ _tag: "OwedDone", serial, kind: "DELETE_BIOMETRICS" } as const))
