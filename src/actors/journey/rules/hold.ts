/**
 * The sandbox waits for somebody who is at the pages of a test journey: the script's next step is put off while the journey asks
 * its customer for a step (S1). Pure; which visits count is decided by the pages.
 */
import { Duration } from "effect"
import type { Journey } from "./Journey.ts"
import { journeyLimits } from "./limits.ts"
import { stepAskedOf } from "./waiting.ts"

const heldForMillis = Duration.toMillis(journeyLimits.sandboxHeldFor)
const heldAnewAfterMillis = Duration.toMillis(journeyLimits.sandboxHeldAnewAfter)

/** Until when the script is put off now, or null: it has no step by itself, waits for others, or was put off just now. */
export const heldUntil = (journey: Journey, now: number): number | null => {
  const tickAt = journey.sandbox?.tickAt ?? null
  const until = now + heldForMillis
  return tickAt === null || stepAskedOf(journey) === null || tickAt > until - heldAnewAfterMillis ? null : until
}
