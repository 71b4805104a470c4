/**
 * What happens to an endpoint that nothing reaches for days: its warnings, its end after three days, and what prevents that
 * end (§6.3.6, decisions W5 and W6). The test holds the clock.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import type { EndpointActor } from "../../../../src/actors/webhook/actor/EndpointActor.ts"
import { eventually } from "../../../support/eventually.ts"
import {
  began,
  endpointBecomes,
  endpointId,
  endpointRow,
  happens,
  hour,
  living,
  mails,
  now,
  queried,
  receiver,
  startClock,
  useOneEndpoint,
  worked
} from "./oneEndpoint.ts"

useOneEndpoint()

/** An event every twelve hours, attempts as they come due, until the time is over. */
const failingFor = (actor: EndpointActor, hours: number) =>
  Effect.gen(function* () {
    const until = (yield* now) + hours * hour
    let nextEvent = yield* now
    while ((yield* now) < until) {
      if ((yield* now) >= nextEvent) {
        yield* happens()
        nextEvent += 12 * hour
      }
      yield* worked(actor)
      yield* TestClock.adjust("10 minutes")
    }
  })

/** An attempt that is under way until it is answered. */
const underway = (actor: EndpointActor) =>
  Effect.gen(function* () {
    const open: Array<(status: number) => void> = []
    receiver.answer((_, response) => void open.push((status) => void response.writeHead(status).end()))
    yield* happens()
    yield* actor.look(false)
    yield* Effect.promise(() =>
      eventually(
        () => open,
        ({ length }) => length > 0
      )
    )
    return (status: number) => {
      receiver.answer(status)
      open.forEach((one) => one(status))
    }
  })

describe("an endpoint that nothing reaches", () => {
  it.effect(
    "is warned about once after an hour and once after a day, and turned off after three days; what is pending is parked and nothing more is sent",
    () =>
      Effect.gen(function* () {
        yield* startClock
        yield* living((actor) => failingFor(actor, 71))
        expect(yield* endpointRow).toMatchObject({ enabled: true, failing_since: new Date(began) })
        // A restart in the middle forgets nothing.
        yield* living((actor) => failingFor(actor, 8))
        expect(yield* endpointRow).toMatchObject({ enabled: false, off_reason: "UNREACHABLE" })
        const owed = yield* mails
        const facts = {
          endpointId,
          mode: "TEST",
          url: new URL(receiver.url).origin,
          failingSince: new Date(began).toISOString()
        }
        expect(owed).toMatchObject([
          { mail: { kind: "ENDPOINT_FAILING", facts: { ...facts, hours: 1 } } },
          { mail: { kind: "ENDPOINT_FAILING", facts: { ...facts, hours: 24 } } },
          { mail: { kind: "ENDPOINT_OFF", facts: { ...facts, offSince: owed[2]?.at.toISOString() } } }
        ])
        const hours = owed.map(({ at }) => (at.getTime() - began) / hour)
        for (const [at, promised] of [1, 24, 72].entries()) {
          expect(hours[at]).toBeGreaterThanOrEqual(promised)
        }
        expect(hours[2]).toBeLessThan(78)
        const left = yield* queried(
          "select 1 from deliveries where endpoint_id = $1 and status not in ('PARKED', 'GIVEN_UP')",
          [endpointId]
        )
        expect(left).toEqual([])
        yield* happens()
        yield* TestClock.adjust("2 days")
        expect(yield* living(worked)).toBe(0)
        expect((yield* mails).length).toBe(3)
      }),
    180_000
  )

  it.effect("has three days again after anything has reached it", () =>
    Effect.gen(function* () {
      yield* startClock
      yield* living((actor) =>
        Effect.gen(function* () {
          yield* failingFor(actor, 60)
          receiver.answer(200)
          yield* happens()
          expect(yield* worked(actor)).toBeGreaterThan(0)
          receiver.answer(500)
          expect(yield* endpointRow).toMatchObject({ enabled: true, failing_since: null, warnings: 0 })
          yield* failingFor(actor, 60)
          expect(yield* endpointRow).toMatchObject({ enabled: true })
        })
      )
    })
  )

  it.effect("stays on when its owner saves it during the attempt whose failure would turn it off", () =>
    Effect.gen(function* () {
      yield* startClock
      yield* living((actor) =>
        Effect.gen(function* () {
          yield* failingFor(actor, 72)
          const answer = yield* underway(actor)
          // As a save does, and the actor has not heard of it yet.
          yield* queried(
            `update webhook_endpoints set revision = revision + 1, failing_since = null, last_failed_at = null, warnings = 0
               where id = $1`,
            [endpointId]
          )
          answer(500)
          yield* worked(actor)
          yield* actor.changed
          expect(yield* endpointRow).toMatchObject({ enabled: true, warnings: 0, revision: 2 })
          expect((yield* mails).map(({ mail }) => mail.kind)).toEqual(["ENDPOINT_FAILING", "ENDPOINT_FAILING"])
          const pending = yield* queried("select 1 from deliveries where endpoint_id = $1 and status = 'PARKED'", [
            endpointId
          ])
          expect(pending).toEqual([])
        })
      )
    })
  )

  it.effect("counts as reached by a success that arrives just after its secret was rolled", () =>
    Effect.gen(function* () {
      yield* startClock
      yield* living((actor) =>
        Effect.gen(function* () {
          yield* failingFor(actor, 2)
          const answer = yield* underway(actor)
          yield* queried("update webhook_endpoints set revision = revision + 1 where id = $1", [endpointId])
          yield* actor.changed
          answer(200)
          yield* endpointBecomes(({ failing_since }) => failing_since === null)
        })
      )
    })
  )
})
