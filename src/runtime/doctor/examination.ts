/**
 * Everything that can be told about an installation without a running service: what its settings say, and what its database, its
 * Redis, its mail server and its certificate answer. The checks are those of the start; this file only asks. `journeys doctor`
 * prints what is found.
 */
import { Effect } from "effect"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import { openToOthers } from "../honesty/openToOthers.ts"
import { settingsFindings } from "../honesty/settingsChecks.ts"
import { profileOf, type Profile } from "../profile.ts"
import type { readSettings } from "../Settings.ts"
import { certificateFinding } from "./certificateFinding.ts"
import { databaseAnswers } from "./databaseAnswers.ts"
import { mailAnswers } from "./mailAnswers.ts"
import { redisAnswers } from "./redisAnswers.ts"

export interface Examination {
  readonly profile: Profile
  /** What the profile `development` allows and `production` would refuse counts as found, and not as wrong. */
  readonly findings: ReadonlyArray<Finding & { readonly isAllowed: boolean }>
}

export const examine = Effect.fn("Doctor.examine")(function* ({ given, problems }: ReturnType<typeof readSettings>) {
  const profile = profileOf(given)
  const ofSettings = settingsFindings({ settings: given, openToOthers: yield* openToOthers(given.dataDir) })
  const answers = yield* Effect.all(
    [databaseAnswers(given), redisAnswers(given), mailAnswers(given), certificateFinding(given)],
    { concurrency: "unbounded" }
  )
  const isAllowed = profile.name === "development"
  const examination: Examination = {
    profile,
    findings: [
      ...(problems.length === 0 ? [well("settings", "every setting is known and keeps its rule")] : []),
      ...problems.map((problem) => wrong("settings", problem, "see docs/settings.md")),
      ...answers.flat()
    ]
      .map((finding): Examination["findings"][number] => ({ ...finding, isAllowed: false }))
      .concat(ofSettings.map((finding) => ({ ...finding, isAllowed: isAllowed && !finding.isWell })))
  }
  return examination
})
