/**
 * What operators see of attempts: the result, the time it took, the age of the event when it arrived, and a span that links
 * to the commit that wrote the event. The span is made after the attempt has ended, so it does not slow sending down. The
 * receiver gets no trace header.
 */
import { Context, Effect, Exit, Option, References, Tracer } from "effect"
import { currentMeter } from "../../kernel/Meter.ts"
import { linksTo } from "../../kernel/Trace.ts"
import type { EndedAttempt, WebhookAttemptOutcome } from "../rules/attemptOutcome.ts"

const nanosPerMilli = 1_000_000n

/** The error that the span of a failed attempt shows. */
class NotDelivered extends Error {
  readonly _tag: string
  constructor(outcome: string) {
    super(outcome)
    this._tag = outcome
  }
}

export const observeAttempts = Effect.gen(function* () {
  const meter = yield* currentMeter
  const tracer = (yield* References.TracerEnabled) ? yield* Tracer.Tracer : null

  /** Observes one attempt that has ended. */
  return (attempt: EndedAttempt, outcome: WebhookAttemptOutcome): void => {
    const { delivery, endedAt } = attempt
    const came = outcome.delivered ? "DELIVERED" : (outcome.error ?? "OTHER_STATUS")
    meter.observe("journeys_delivery_attempt_seconds", { outcome: came }, outcome.durationMillis / 1000)
    if (outcome.delivered && delivery.trigger === "SCHEDULE") {
      meter.observe("journeys_delivery_lag_seconds", {}, Math.max(0, endedAt - delivery.createdAt) / 1000)
    }
    if (!outcome.delivered && outcome.dueAt === null) meter.count("journeys_deliveries_given_up_total", {})
    if (tracer !== null) trace(tracer, attempt, came, outcome)
  }
})

const trace = (
  inner: Tracer.Tracer,
  { beganAt, delivery, endedAt }: EndedAttempt,
  came: string,
  outcome: WebhookAttemptOutcome
) => {
  const span = inner.span({
    name: "EndpointActor.attempt",
    parent: Option.none(),
    root: true,
    kind: "producer",
    annotations: Context.empty(),
    links: linksTo(delivery.traceparent),
    startTime: BigInt(beganAt) * nanosPerMilli,
    sampled: true
  })
  span.attribute("event.type", delivery.type)
  span.attribute("event.id", delivery.eventId)
  // A ping or a sample belongs to no journey.
  if (delivery.sequence > 0) span.attribute("journey.id", delivery.journeyId)
  span.attribute("delivery.attempt", delivery.attempts + 1)
  span.attribute("delivery.outcome", came)
  if (outcome.httpStatus !== null) span.attribute("http.response.status_code", outcome.httpStatus)
  span.end(BigInt(endedAt) * nanosPerMilli, outcome.delivered ? Exit.void : Exit.fail(new NotDelivered(came)))
}
