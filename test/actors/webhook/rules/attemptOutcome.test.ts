/** What an attempt means for its delivery, and whether it says something about its endpoint. */
import { Duration } from "effect"
import { expect, test } from "vitest"
import { attemptOutcome, isEvidence, type EndedAttempt } from "../../../../src/actors/webhook/rules/attemptOutcome.ts"
import { retryDelaysMillis } from "../../../../src/actors/webhook/rules/backoff.ts"
import type { DueWebhookDelivery } from "../../../../src/actors/webhook/rules/DueWebhookDelivery.ts"
import type { Exchange } from "../../../../src/actors/webhook/rules/Exchange.ts"
import { EndpointId, EventId, JourneyId } from "../../../../src/schema/ids.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"

const began = Date.UTC(2026, 2, 1, 8)
const endpointId = EndpointId.make("019bc0a1-7c00-7005-8000-000000000001")

const delivered: Exchange = { _tag: "Answered", status: 204, answer: "" }
const refused: Exchange = { _tag: "Answered", status: 500, answer: "no" }
const late: Exchange = { _tag: "Failed", error: "TIMEOUT", isOwn: false }
const own: Exchange = { _tag: "Failed", error: "TIMEOUT", isOwn: true }

const ended = (exchange: Exchange, delivery: Partial<DueWebhookDelivery> = {}): EndedAttempt => ({
  delivery: {
    eventId: EventId.make("019bc0a1-7c00-7005-8000-000000000002"),
    dueAt: began,
    type: "journey.created",
    body: "{}",
    createdAt: began,
    traceparent: null,
    journeyId: JourneyId.make("019bc0a1-7c00-7005-8000-000000000003"),
    sequence: 1,
    attempts: 4,
    tries: 2,
    trigger: "SCHEDULE",
    ...delivery
  },
  exchange,
  beganAt: began,
  endedAt: began + 1000,
  signed: null
})

test.each([
  ["an answer", delivered, 3],
  ["a refusal", refused, 3],
  ["no answer", late, 3],
  ["a failure of the service itself", own, 2]
])("%s leaves so many tries used up", (_, exchange, tries) => {
  expect(attemptOutcome(endpointId, ended(exchange)).tries).toBe(tries)
})

test("after a failure of the service itself the next attempt comes soon, also after the last try", () => {
  const { dueAt, delivered: arrived } = attemptOutcome(endpointId, ended(own, { tries: 100 }))
  expect([dueAt, arrived]).toEqual([began + 1000 + Duration.toMillis(webhookLimits.ownFailureRetryDelay), false])
  expect(attemptOutcome(endpointId, ended(late, { tries: 100 })).dueAt).toBeNull()
})

test("the delay before the next attempt begins when the attempt has ended, however long it took", () => {
  const slow = { ...ended(late, { tries: 0 }), endedAt: began + 5000 }
  const { delayMillis, dueAt } = attemptOutcome(endpointId, slow)
  const [first = Number.NaN] = retryDelaysMillis
  expect([dueAt, delayMillis]).toEqual([began + 5000 + first, first])
})

test.each<readonly [string, EndedAttempt, boolean]>([
  ["an answer", ended(delivered), true],
  ["a refusal", ended(refused), true],
  ["a resend", ended(refused, { trigger: "RESEND" }), true],
  ["a failure of the service itself", ended(own), false],
  ["a ping", ended(refused, { trigger: "TEST", sequence: 0 }), false],
  ["a retry of a ping", ended(refused, { sequence: 0 }), false],
  ["a test with an event of a journey", ended(refused, { trigger: "TEST" }), false]
])("%s says something about the endpoint, or nothing", (_, attempt, says) => {
  expect(isEvidence(attempt)).toBe(says)
  expect(attemptOutcome(endpointId, attempt).counted).toBe(says)
})
