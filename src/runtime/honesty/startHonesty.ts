/**
 * Refuses a start in the profile `production` with settings that are not safe there: all of them at once, each with its cure, and
 * before anything is connected. With PROFILE=development in place of production the start goes on, and says what it would have
 * refused.
 */
import { Effect, Layer } from "effect"
import { profileOf } from "../settings/profile.ts"
import { Settings, SettingsError } from "../settings/Settings.ts"
import { adviceLines, problemLines } from "./Finding.ts"
import { findingsHere } from "./findingsHere.ts"

const problemsOf = (settings: Settings["Service"]) => Effect.map(findingsHere(settings), problemLines)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* Settings
    if (profileOf(settings).name === "development") return
    const problems = yield* problemsOf(settings)
    if (problems.length > 0) return yield* new SettingsError({ problems })
  })
)

/** For the log of a process. */
export const warnOfLoweredProfile = Effect.gen(function* () {
  const settings = yield* Settings
  if (!profileOf(settings).isLowered) return
  yield* Effect.logWarning(
    "PROFILE is development: nothing is refused that production would refuse",
    ...(yield* problemsOf(settings))
  )
})

/** For the log of a process: what is not refused and should be known, once the start has succeeded. */
export const adviseOfSettings = Effect.gen(function* () {
  const settings = yield* Settings
  const lines = [...settings.openSecretFiles, ...adviceLines(yield* findingsHere(settings))]
  yield* Effect.forEach(lines, (line) => Effect.logWarning(line), { discard: true })
})
