/**
 * The sandbox waits for somebody who is at the pages of a test journey: the script's next step is put off while the journey asks
 * its customer for a step, and while the team looks at a review of it (S1). Pure; which visits count is decided by the pages.
 */
import { Duration } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Journey } from "./state/Journey.ts"
import { journeyLimits } from "./limits.ts"
import { openReview, stepAskedOf } from "./state/waiting.ts"

const heldForMillis = Duration.toMillis(journeyLimits.sandboxHeldFor)
const heldAnewAfterMillis = Duration.toMillis(journeyLimits.sandboxHeldAnewAfter)

/** At what somebody is: at what the customer is asked for, or at the review. */
type Place = Extract<JourneyMessage, { readonly _tag: "SandboxHeld" }>["at"]

/** Until when the script is put off now, or null: it has no step by itself, waits for others, or was put off just now. */
export const heldUntil = (journey: Journey, now: number, at?: Place): number | null => {
  const tickAt = journey.sandbox?.tickAt ?? null
  const until = now + heldForMillis
  const isAwaited = (at === "REVIEW" ? openReview(journey) : stepAskedOf(journey)) !== null
  return tickAt === null || !isAwaited || tickAt > until - heldAnewAfterMillis ? null : until
}
