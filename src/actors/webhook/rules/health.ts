/**
 * When an endpoint is in trouble (§6.3.6, decision W5). One event's retries end after less than two days, so the rule
 * spans events: a streak of failures begins with the first failed attempt after anything reached the endpoint, and ends
 * when something does, or when nothing was tried for longer than the longest gap of the schedule. An attempt that fails
 * three days into a streak turns the endpoint off; its administrator is warned twice on the way.
 *
 * Pings and the service's own failures are no evidence, and are not given to this page.
 */
import { Duration } from "effect"
import { retryDelays } from "./backoff.ts"

const hours = (count: number): number => Duration.toMillis(Duration.hours(count))

export const turnedOffAfter = hours(72)

/** Hours into a streak at which the administrator is warned, in order. */
export const warningHours = [1, 24] as const
export type WarningHours = (typeof warningHours)[number]

/** An hour more than the longest gap of the schedule: a streak with a hole in it is two streaks. */
const longestSilence = Math.max(...retryDelays) + hours(1)

/** Times are epoch milliseconds. */
export interface Health {
  readonly failingSince: number | null
  readonly lastFailedAt: number | null
  /** Warnings given in this streak. */
  readonly warnings: number
}

export type Notice = null | { readonly _tag: "Warn"; readonly hours: WarningHours } | { readonly _tag: "TurnOff" }

export const healthy: Health = { failingSince: null, lastFailedAt: null, warnings: 0 }

/** The endpoint's health after an attempt that ended at `at`, and what follows from it. */
export const afterAttempt = (
  health: Health,
  reached: boolean,
  at: number
): { readonly health: Health; readonly notice: Notice } => {
  if (reached) return { health: healthy, notice: null }
  const isSameStreak =
    health.failingSince !== null && health.lastFailedAt !== null && at - health.lastFailedAt <= longestSilence
  const failingSince = isSameStreak ? (health.failingSince ?? at) : at
  const warnings = isSameStreak ? health.warnings : 0
  const lastFailedAt = Math.max(at, isSameStreak ? (health.lastFailedAt ?? at) : at)
  const age = at - failingSince
  if (age >= turnedOffAfter) return { health: { failingSince, lastFailedAt, warnings }, notice: { _tag: "TurnOff" } }
  // Of several warnings that became due in a silence only the last is still worth a mail.
  const due = warningHours.filter((warning) => age >= hours(warning)).length
  const warning = due > warnings ? warningHours[due - 1] : undefined
  return {
    health: { failingSince, lastFailedAt, warnings: Math.max(warnings, due) },
    notice: warning === undefined ? null : { _tag: "Warn", hours: warning }
  }
}
