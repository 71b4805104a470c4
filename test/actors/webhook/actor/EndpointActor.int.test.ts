/**
 * The endpoint's actor with real PostgreSQL and a real receiver: the whole schedule of a delivery, with restarts in between,
 * and attempts that count for nothing. The test holds the clock.
 */
import { it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { mostAttempts } from "../../../../src/actors/webhook/rules/backoff.ts"
import { retryDelaysMillis } from "../../../../src/actors/webhook/rules/backoff.ts"
import { signedSeconds } from "../../../support/endpointActors.ts"
import {
  began,
  delivery,
  endpointId,
  endpointRow,
  failOwnSide,
  happens,
  hour,
  living,
  mails,
  minute,
  now,
  queried,
  receiver,
  second,
  startClock,
  timesOf,
  useOneEndpoint,
  worked
} from "./oneEndpoint.ts"

useOneEndpoint()

describe("a delivery that always fails", () => {
  it.effect(
    "is tried at once and after each delay of the schedule, signed anew each time, then given up for good; restarts at every step change nothing",
    () =>
      Effect.gen(function* () {
        yield* startClock
        const eventId = yield* happens()
        const times: Array<number> = []
        for (const delay of [0, ...retryDelaysMillis]) {
          if (delay > 0) {
            yield* TestClock.adjust(Duration.millis(delay - 1))
            const early = yield* living(worked)
            expect(early, `${delay} ms after a failure nothing is early`).toBe(0)
            yield* TestClock.adjust("1 millis")
          }
          times.push(yield* now)
          expect(yield* living(worked)).toBe(1)
        }
        expect(yield* timesOf(eventId)).toEqual(times)
        expect(yield* delivery(eventId)).toMatchObject({ status: "GIVEN_UP", dueAt: null, attempts: 8, tries: 8 })
        yield* TestClock.adjust("30 days")
        expect(yield* living(worked)).toBe(0)

        expect(times.map((at) => at - began)).toEqual(
          [0, 1, 6, 36, 156, 516, 1236, 2676].map((minutes) => minutes * minute)
        )
        expect(receiver.received.map(signedSeconds)).toEqual(times.map((at) => Math.floor(at / second)))
        expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
        expect(receiver.received.every(({ headers }) => headers["service-event-id"] === eventId)).toBe(true)
      })
  )

  it.effect("is tried at the same times by one actor that stays in memory", () =>
    Effect.gen(function* () {
      yield* startClock
      const eventId = yield* happens()
      yield* living((actor) =>
        Effect.gen(function* () {
          expect(yield* worked(actor)).toBe(1)
          for (const delay of retryDelaysMillis) {
            yield* TestClock.adjust(Duration.millis(delay - 1))
            expect(yield* worked(actor)).toBe(0)
            yield* TestClock.adjust("1 millis")
            expect(yield* worked(actor)).toBe(1)
          }
        })
      )
      expect(yield* delivery(eventId)).toMatchObject({ status: "GIVEN_UP", attempts: mostAttempts })
    })
  )

  it.effect("is delivered by the first attempt that is answered 2xx, and never sent again", () =>
    Effect.gen(function* () {
      yield* startClock
      const eventId = yield* happens()
      yield* living((actor) =>
        Effect.gen(function* () {
          yield* worked(actor)
          yield* TestClock.adjust("1 minute")
          receiver.answer(299)
          expect(yield* worked(actor)).toBe(1)
          yield* TestClock.adjust("3 days")
          expect(yield* worked(actor)).toBe(0)
        })
      )
      expect(yield* delivery(eventId)).toMatchObject({ status: "DELIVERED", dueAt: null, attempts: 2 })
    })
  )
})

/** How many signatures the newest delivery bears. */
const v1s = () => String(receiver.received.at(-1)?.headers["service-signature"]).split(",v1=").length - 1

describe("after a roll of the secret", () => {
  it.effect(
    "an actor that stays in memory signs with both secrets, and with the new one alone once the overlap is over",
    () =>
      Effect.gen(function* () {
        yield* startClock
        yield* queried(
          "update webhook_endpoints set sealed_previous_secret = sealed_secret, previous_until = $2, revision = revision + 1 where id = $1",
          [endpointId, new Date(began + hour)]
        )
        yield* living((actor) =>
          Effect.gen(function* () {
            receiver.answer(200)
            yield* happens()
            expect(yield* worked(actor)).toBe(1)
            expect(v1s()).toBe(2)
            yield* TestClock.adjust("1 hour")
            yield* happens()
            expect(yield* worked(actor)).toBe(1)
            expect(v1s()).toBe(1)
          })
        )
      })
  )
})

describe("an attempt that says nothing about its endpoint", () => {
  it.effect("a ping that fails follows the schedule and does not count against the endpoint", () =>
    Effect.gen(function* () {
      yield* startClock
      const eventId = yield* happens({ sequence: 0, type: "ping", trigger: "TEST" })
      yield* living((actor) =>
        Effect.gen(function* () {
          for (const delay of [0, ...retryDelaysMillis]) {
            yield* TestClock.adjust(Duration.millis(delay))
            expect(yield* worked(actor)).toBe(1)
          }
        })
      )
      expect(yield* delivery(eventId)).toMatchObject({ status: "GIVEN_UP", attempts: mostAttempts })
      expect(receiver.received.every(({ headers }) => headers["service-event-sequence"] === undefined)).toBe(true)
      expect(yield* endpointRow).toMatchObject({ enabled: true, failing_since: null })
      expect(yield* mails).toEqual([])
    })
  )

  it.effect("a ping that arrives does not end the failing", () =>
    Effect.gen(function* () {
      yield* startClock
      yield* happens()
      yield* living((actor) =>
        Effect.gen(function* () {
          yield* worked(actor)
          receiver.answer(200)
          const eventId = yield* happens({ sequence: 0, type: "ping", trigger: "TEST" })
          expect(yield* worked(actor)).toBe(1)
          expect(yield* delivery(eventId)).toMatchObject({ status: "DELIVERED" })
        })
      )
      expect(yield* endpointRow).toMatchObject({ failing_since: new Date(began) })
    })
  )

  it.effect(
    "a failure of the service itself is logged, tried again a minute later, and uses up none of the eight attempts",
    () =>
      Effect.gen(function* () {
        yield* startClock
        const eventId = yield* happens()
        yield* failOwnSide(true)
        yield* living((actor) =>
          Effect.gen(function* () {
            for (let failure = 1; failure <= 12; failure++) {
              expect(yield* worked(actor)).toBe(1)
              expect(yield* delivery(eventId)).toMatchObject({ status: "PENDING", attempts: failure, tries: 0 })
              yield* TestClock.adjust("59999 millis")
              expect(yield* worked(actor)).toBe(0)
              yield* TestClock.adjust("1 millis")
            }
            expect(yield* endpointRow).toMatchObject({ failing_since: null })
            yield* failOwnSide(false)
            expect(yield* worked(actor)).toBe(1)
          })
        ).pipe(Effect.ensuring(failOwnSide(false)))
        const failedAt = yield* now
        expect(yield* delivery(eventId)).toMatchObject({ tries: 1, attempts: 13, dueAt: failedAt + minute })
        const errors = yield* queried(
          "select distinct error from attempts where event_id = $1 and http_status is null",
          [eventId]
        )
        expect(errors).toEqual([{ error: "SERVICE_FAILURE" }])
      })
  )
})
