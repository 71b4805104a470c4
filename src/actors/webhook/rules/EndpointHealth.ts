/**
 * When an endpoint is in trouble (§6.3.6, decision W5). The retries of one event end after less than two days, so the rule
 * spans events: it looks at the time from the first failed attempt, however many events failed since.
 *
 *              an attempt fails                 fails 72 h or more after the first failure
 *   HEALTHY ─────────────────────▶ FAILING ─────────────────────────────────────────────▶ OFF (UNREACHABLE)
 *      ▲                           │    │  warned once after 1 h and once after 24 h            │
 *      │      any 2xx              │    └─ fails after more than 25 h without an attempt:       │
 *      ├───────────────────────────┘       FAILING from this failure on                        │
 *      └─────────────────────────── the owner saves the endpoint (W6) ──────────────────────────┘
 *
 * Pings, samples and failures of the service itself say nothing about the endpoint. The caller does not pass them here.
 */
import { Duration } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { retryDelaysMillis } from "./backoff.ts"

const { silenceBeyondLongestDelay, warningHours } = webhookLimits
const turnedOffAfterMillis = Duration.toMillis(webhookLimits.turnedOffAfter)

export type WarningHours = (typeof warningHours)[number]

/** A time without attempts that is longer than this ends the failing: the schedule itself leaves no longer gap. */
const longestSilenceMillis = Math.max(...retryDelaysMillis) + Duration.toMillis(silenceBeyondLongestDelay)

/** Times are epoch milliseconds. */
export interface EndpointHealth {
  /** The first failed attempt since the endpoint was last reached; null while the endpoint is healthy. */
  readonly failingSince: number | null
  readonly lastFailedAt: number | null
  /** Warnings given since `failingSince`. */
  readonly warnings: number
}

export type HealthNotice = null | { readonly _tag: "Warn"; readonly hours: WarningHours } | { readonly _tag: "TurnOff" }

export const healthy: EndpointHealth = { failingSince: null, lastFailedAt: null, warnings: 0 }

/** The endpoint's health after an attempt that ended at `at`, and what follows from it. */
export const afterAttempt = (
  health: EndpointHealth,
  isReached: boolean,
  at: number
): { readonly health: EndpointHealth; readonly notice: HealthNotice } => {
  if (isReached) return { health: health.failingSince === null ? health : healthy, notice: null }
  const goesOn =
    health.failingSince !== null && health.lastFailedAt !== null && at - health.lastFailedAt <= longestSilenceMillis
  const failingSince = goesOn ? (health.failingSince ?? at) : at
  const warnings = goesOn ? health.warnings : 0
  const lastFailedAt = Math.max(at, goesOn ? (health.lastFailedAt ?? at) : at)
  const age = at - failingSince
  if (age >= turnedOffAfterMillis) {
    return { health: { failingSince, lastFailedAt, warnings }, notice: { _tag: "TurnOff" } }
  }
  // After a silence several warnings may be due. Only the last one is still worth a mail.
  const due = warningHours.filter((hours) => age >= Duration.toMillis(Duration.hours(hours))).length
  const warning = due > warnings ? warningHours[due - 1] : undefined
  return {
    health: { failingSince, lastFailedAt, warnings: Math.max(warnings, due) },
    notice: warning === undefined ? null : { _tag: "Warn", hours: warning }
  }
}
