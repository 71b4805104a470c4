/**
 * How somebody signs in is changed, and a customer is erased, only by a member who has just signed in: whoever finds an open browser, or has
 * copied its cookie, adds no passkey, takes none away, ends nobody's session and destroys nobody's data. The operator is not asked: a token that is taken away ends its sessions.
 */
import { Clock, Duration, Effect } from "effect"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Asker } from "../../server/endpoints/Asker.ts"
import { problem } from "../../server/answers/problems.ts"

export const hasJustSignedIn = Effect.gen(function* () {
  const asker = yield* Asker
  if (asker._tag === "Operator") return true
  const now = yield* Clock.currentTimeMillis
  return now - asker.signedInAt < Duration.toMillis(memberLimits.signInFreshFor)
})

const minutes = Duration.toMinutes(memberLimits.signInFreshFor)

/** How the descriptions of the operations say so. */
export const signedInLately = `signed in within the last ${minutes} minutes`

export const signInFreshOrRefused = Effect.flatMap(hasJustSignedIn, (isFresh) =>
  isFresh
    ? Effect.void
    : Effect.fail(
        problem(
          "SIGN_IN_AGAIN",
          "session",
          `You signed in more than ${minutes} minutes ago. Please sign in again, and then make this change.`
        )
      )
)
