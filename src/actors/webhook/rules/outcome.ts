/**
 * What one attempt comes to: the headers it is made with (§6.2), and what its exchange means for the delivery. Every
 * attempt is signed anew; the service's own failures are logged and count for nothing.
 */
import type { AttemptOutcome, DueDelivery } from "../actor/DeliveryStore.ts"
import { nextAttempt } from "./backoff.ts"
import { isDelivered } from "./classification.ts"
import type { Exchange } from "../actor/Sender.ts"
import { signatureHeader, type SigningKey } from "./signature.ts"
import { ownFailureAgainMillis } from "../actor/supervision.ts"

/** `now` in epoch milliseconds. A ping or a sample is of no journey, and so has no place in one. */
export const deliveryHeaders = (
  { body, eventId, sequence, type }: Pick<DueDelivery, "body" | "eventId" | "sequence" | "type">,
  keys: ReadonlyArray<SigningKey>,
  now: number
): Readonly<Record<string, string>> => {
  const seconds = Math.floor(now / 1000)
  const headers: Record<string, string> = {
    "Service-Event-Id": eventId,
    "Service-Event-Type": type,
    "Service-Timestamp": String(seconds),
    "Service-Signature": signatureHeader(keys, seconds, body)
  }
  if (sequence > 0) headers["Service-Event-Sequence"] = String(sequence)
  return headers
}

/** Milliseconds the log can hold: a machine that slept in the middle of an exchange has let more pass. */
const longestDuration = 2 ** 31 - 1

/** The delivery after an attempt that began at `at` and ended at `endedAt`. */
export const outcomeOf = (
  endpointId: string,
  delivery: DueDelivery,
  exchange: Exchange,
  at: number,
  endedAt: number
): AttemptOutcome => {
  const attempt = {
    endpointId,
    delivery,
    at,
    durationMillis: Math.min(Math.max(0, endedAt - at), longestDuration),
    httpStatus: exchange._tag === "Answered" ? exchange.status : null,
    error: exchange._tag === "Answered" ? null : exchange.error,
    answer: exchange._tag === "Answered" ? exchange.answer : null
  }
  if (isDelivered(exchange)) return { ...attempt, delivered: true, tries: delivery.tries + 1, dueAt: null }
  if (isOwnFailure(exchange)) {
    return { ...attempt, delivered: false, tries: delivery.tries, dueAt: endedAt + ownFailureAgainMillis }
  }
  const tries = delivery.tries + 1
  // The schedule's delays begin where an attempt has ended.
  return { ...attempt, delivered: false, tries, dueAt: nextAttempt(tries, endedAt) }
}

export const isOwnFailure = (exchange: Exchange): boolean => exchange._tag === "Failed" && exchange.isOwn

/** What an exchange says about its endpoint; tests of its owner and the service's own failures say nothing. */
export const isEvidence = (delivery: DueDelivery, exchange: Exchange): boolean =>
  delivery.trigger !== "TEST" && delivery.sequence > 0 && !isOwnFailure(exchange)
