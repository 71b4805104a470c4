/**
 * Everything that can be told about an installation without a running service: what its settings say, and what its database, its
 * Redis, its mail server and its certificate answer. The checks are those of the start; this file only asks. `journeys doctor`
 * prints what is found.
 */
import { Effect } from "effect"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import { findingsHere } from "../honesty/findingsHere.ts"
import { profileOf, type Profile } from "../settings/profile.ts"
import type { readSettings } from "../settings/Settings.ts"
import { certificateFinding } from "./certificateFinding.ts"
import { databaseAnswers } from "./databaseAnswers.ts"
import { journalAnswers } from "./journalAnswers.ts"
import { mailAnswers } from "./mailAnswers.ts"
import { redisAnswers } from "./redisAnswers.ts"

export interface Examination {
  readonly profile: Profile
  readonly findings: ReadonlyArray<Finding>
  /** What is not well, and is allowed by the profile `development`. */
  readonly allowed: ReadonlySet<Finding>
}

export const examine = Effect.fn("Doctor.examine")(function* ({
  encryptionKey,
  given,
  problems
}: ReturnType<typeof readSettings>) {
  const profile = profileOf(given)
  const ofSettings = yield* findingsHere(given)
  const answers = yield* Effect.all(
    [
      databaseAnswers(given, encryptionKey),
      redisAnswers(given),
      mailAnswers(given),
      certificateFinding(given),
      journalAnswers(given)
    ],
    { concurrency: "unbounded" }
  )
  const known = well("settings", "every setting is known and keeps its rule")
  const unknown = problems.map((problem) => wrong("settings", problem, "see docs/settings.md"))
  const isDevelopment = profile.name === "development"
  const examination: Examination = {
    profile,
    findings: [...(unknown.length === 0 ? [known] : unknown), ...answers.flat(), ...ofSettings],
    allowed: isDevelopment ? new Set(ofSettings.filter(({ isWell }) => !isWell)) : new Set()
  }
  return examination
})
