/**
 * What one attempt means for its delivery and for its endpoint. A failure of the service itself is recorded, but it uses up
 * none of the tries and says nothing about the endpoint.
 */
import { Duration } from "effect"
import type { FailureClass } from "../../../schema/failureClass.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { nextAttemptAt } from "./backoff.ts"
import { isDelivered } from "./classification.ts"
import type { DueWebhookDelivery } from "./DueWebhookDelivery.ts"
import type { Exchange } from "./Exchange.ts"
import type { EndpointId } from "../../../schema/ids.ts"

const ownFailureRetryMillis = Duration.toMillis(webhookLimits.ownFailureRetryDelay)

/** The largest number of milliseconds that the log's column holds. A machine that slept during an exchange exceeds it. */
const largestLoggedMillis = 2 ** 31 - 1

/** An attempt as the log gets it, and its delivery after it. Times are epoch milliseconds. */
export interface WebhookAttemptOutcome {
  readonly endpointId: EndpointId
  readonly delivery: Pick<DueWebhookDelivery, "eventId" | "attempts" | "trigger">
  /** When the request was signed, just before it left (W11); when the attempt began where nothing could leave. */
  readonly at: number
  /** Of the whole attempt, from the look-up of the host on. */
  readonly durationMillis: number
  readonly httpStatus: number | null
  readonly error: FailureClass | null
  readonly answer: string | null
  /** `Service-Signature` as it was sent; null where no connection came about. */
  readonly signature: string | null
  /** Whether the statistics of the endpoint count it: an attempt that says something about the endpoint. */
  readonly counted: boolean
  readonly delivered: boolean
  /** The tries so far. */
  readonly tries: number
  /** When the next attempt is due after a failure; null after a success, and for a delivery that is given up. */
  readonly dueAt: number | null
  /** The delay from the end of the attempt until then. */
  readonly delayMillis: number | null
}

/** How a request was signed, and when. */
export interface SignedRequest {
  readonly at: number
  readonly signature: string
}

/** An attempt that has ended. Times are epoch milliseconds. */
export interface EndedAttempt {
  readonly delivery: DueWebhookDelivery
  readonly exchange: Exchange
  readonly beganAt: number
  readonly endedAt: number
  /** Null where no connection came about. */
  readonly signed: SignedRequest | null
}

export const attemptOutcome = (endpointId: EndpointId, ended: EndedAttempt): WebhookAttemptOutcome => {
  const { beganAt, delivery, endedAt, exchange, signed } = ended
  const attempt = {
    endpointId,
    delivery,
    at: signed?.at ?? beganAt,
    durationMillis: Math.min(Math.max(0, endedAt - beganAt), largestLoggedMillis),
    httpStatus: exchange._tag === "Answered" ? exchange.status : null,
    error: exchange._tag === "Answered" ? null : exchange.error,
    answer: exchange._tag === "Answered" ? exchange.answer : null,
    signature: signed?.signature ?? null,
    counted: isEvidence(ended)
  }
  if (isDelivered(exchange)) {
    return { ...attempt, delivered: true, tries: delivery.tries + 1, dueAt: null, delayMillis: null }
  }
  const tries = isOwnFailure(exchange) ? delivery.tries : delivery.tries + 1
  // A delay begins when the attempt has ended.
  const dueAt = isOwnFailure(exchange) ? endedAt + ownFailureRetryMillis : nextAttemptAt(tries, endedAt)
  return { ...attempt, delivered: false, tries, dueAt, delayMillis: dueAt === null ? null : dueAt - endedAt }
}

export const isOwnFailure = (exchange: Exchange): boolean => exchange._tag === "Failed" && exchange.isOwn

/** Whether the exchange says something about its endpoint. Tests and failures of the service itself say nothing. */
export const isEvidence = ({ delivery, exchange }: EndedAttempt): boolean =>
  delivery.trigger !== "TEST" && delivery.sequence > 0 && !isOwnFailure(exchange)
