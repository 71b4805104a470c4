/**
 * What an endpoint's actor knows about the endpoint's health beyond its last settings: attempts that are not judged yet,
 * and changes that are not written yet. Nothing is sent and nothing is read until every change is written. The rule by
 * which an attempt is judged is in `EndpointHealth.ts`.
 */
import { Duration } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { isEvidence, type EndedAttempt } from "./attemptOutcome.ts"
import { isDelivered } from "./classification.ts"
import type { Endpoint } from "./Endpoint.ts"
import { afterAttempt, type EndpointHealth, type WarningHours } from "./EndpointHealth.ts"

const writeIntervalMillis = Duration.toMillis(webhookLimits.healthWriteInterval)

/** A change of an endpoint's health, with the mail that it causes. Times are epoch milliseconds. */
export interface HealthChange {
  readonly endpoint: Endpoint
  readonly health: EndpointHealth
  readonly warning: WarningHours | null
  readonly turnedOffAt: number | null
  readonly at: number
}

export interface HealthChanges {
  /** Attempts that ended while the settings were unknown, oldest first. */
  readonly unjudged: ReadonlyArray<EndedAttempt>
  /** The health as the table has it, or will have it when `unwritten` is written. */
  readonly written: EndpointHealth | null
  /** Oldest first. */
  readonly unwritten: ReadonlyArray<HealthChange>
}

export const noHealthChanges: HealthChanges = { unjudged: [], written: null, unwritten: [] }

/** Judges every attempt that is not judged yet. Returns the endpoint with its health after the last of them. */
export const judgeAll = (
  changes: HealthChanges,
  endpoint: Endpoint
): { readonly endpoint: Endpoint; readonly changes: HealthChanges } => {
  if (changes.unjudged.length === 0) return { endpoint, changes }
  return changes.unjudged.reduce(judge, { endpoint, changes: { ...changes, unjudged: [] } })
}

const judge = (
  before: { readonly endpoint: Endpoint; readonly changes: HealthChanges },
  attempt: EndedAttempt
): { readonly endpoint: Endpoint; readonly changes: HealthChanges } => {
  const { changes, endpoint } = before
  if (!endpoint.enabled || !isEvidence(attempt)) return before
  const { endedAt } = attempt
  const { health, notice } = afterAttempt(endpoint.health, isDelivered(attempt.exchange), endedAt)
  const isWritten = notice === null && !isWorthWriting(changes.written, health)
  if (isWritten && health === endpoint.health) return before
  const isTurnedOff = notice?._tag === "TurnOff"
  // The attempts that end after this one say nothing more: the endpoint is turned off once.
  const judged = { ...endpoint, health, enabled: !isTurnedOff }
  if (isWritten) return { endpoint: judged, changes }
  const change: HealthChange = {
    endpoint,
    health,
    warning: notice?._tag === "Warn" ? notice.hours : null,
    turnedOffAt: isTurnedOff ? endedAt : null,
    at: endedAt
  }
  return { endpoint: judged, changes: { ...changes, written: health, unwritten: [...changes.unwritten, change] } }
}

/** The time of the last failure alone need not be written each time, because the rule compares it with hours. */
const isWorthWriting = (written: EndpointHealth | null, health: EndpointHealth): boolean =>
  written === null ||
  written.failingSince !== health.failingSince ||
  written.warnings !== health.warnings ||
  (health.lastFailedAt ?? 0) - (written.lastFailedAt ?? 0) >= writeIntervalMillis
