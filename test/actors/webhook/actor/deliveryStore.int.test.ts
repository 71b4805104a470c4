/**
 * What the statements of the delivery store do to rows: an outcome is recorded once and in the right state even when it
 * comes late, pending deliveries are parked, and events whose transaction commits late are not missed.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { DueWebhookDelivery } from "../../../../src/actors/webhook/rules/DueWebhookDelivery.ts"
import type { WebhookAttemptOutcome } from "../../../../src/actors/webhook/rules/attemptOutcome.ts"
import {
  attemptTimes,
  deliveryOf,
  startGround,
  writeCompany,
  writeEvent,
  type Ground
} from "../../../support/endpointActors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { freshDatabase } from "../../../support/service.ts"
import { EndpointId, EventId } from "../../../../src/schema/ids.ts"

const began = Date.parse("2026-03-01T08:00:00Z")
const minute = 60_000

let ground: Ground
let endpointId: EndpointId

beforeAll(async () => {
  ground = await startGround(await freshDatabase())
})
afterAll(() => ground.stop())
beforeEach(async () => {
  const companyId = await writeCompany(ground.query)
  endpointId = EndpointId.make(await writeEndpoint(ground.query, { companyId, url: "https://hooks.example.com/" }))
})

const write = (more: Partial<Parameters<typeof writeEvent>[1]> = {}) =>
  writeEvent(ground.query, { endpointId, at: began, ...more })
const state = (eventId: string) => deliveryOf(ground.query, eventId)
const record = (...outcomes: ReadonlyArray<WebhookAttemptOutcome>) => Effect.runPromise(ground.store.record(outcomes))
const dueNow = (more: { readonly after?: null; readonly limit?: number } = {}) =>
  Effect.runPromise(ground.store.due({ endpointId, now: began + minute, after: null, limit: 100, ...more }))

/** A failure of the delivery as it stood after so many attempts. */
const failure = (
  eventId: string,
  attempts: number,
  at = began + attempts,
  more: Partial<WebhookAttemptOutcome> = {}
) => ({
  endpointId,
  delivery: { eventId: EventId.make(eventId), attempts, trigger: "SCHEDULE" as const },
  at,
  durationMillis: 12,
  httpStatus: 500,
  error: null,
  answer: "no",
  signature: "t=1,v1=0",
  counted: true,
  delivered: false,
  tries: attempts + 1,
  dueAt: at + minute,
  delayMillis: minute,
  ...more
})
const success = (eventId: string, attempts: number, at = began + attempts, more: Partial<WebhookAttemptOutcome> = {}) =>
  failure(eventId, attempts, at, {
    httpStatus: 200,
    answer: "ok",
    delivered: true,
    dueAt: null,
    delayMillis: null,
    ...more
  })

const countsOf = (id: EndpointId) =>
  ground.query<{ readonly delivered: number; readonly failed: number }>(
    "select delivered, failed from endpoint_hours where endpoint_id = $1",
    [id]
  )

describe("an outcome", () => {
  test("counts in its hour with others of the same time, unless it says nothing about the endpoint", async () => {
    const [one, two, three] = [await write(), await write(), await write()]
    await record(failure(one, 0), success(two, 0), success(three, 0, began, { durationMillis: 500 }))
    await record(success(one, 1), failure(two, 1, began, { counted: false }))
    await record(failure(three, 1, began + 60 * minute))
    const rows = await ground.query(
      "select hour, step, delivered, failed from endpoint_hours where endpoint_id = $1 order by hour, step",
      [endpointId]
    )
    const hour = new Date(began)
    expect(rows).toEqual([
      { hour, step: 15, delivered: 2, failed: 1 },
      { hour, step: 36, delivered: 1, failed: 0 },
      { hour: new Date(began + 60 * minute), step: 15, delivered: 0, failed: 1 }
    ])
  })

  test("is written into the log with all its facts, and sets the time of the next attempt", async () => {
    const eventId = await write()
    await record(failure(eventId, 0, began, { answer: "a\u0000b\ud800" }))
    expect(await state(eventId)).toEqual({
      status: "PENDING",
      attempts: 1,
      tries: 1,
      trigger: "SCHEDULE",
      dueAt: began + minute
    })
    expect(await ground.query("select * from attempts where event_id = $1", [eventId])).toEqual([
      {
        event_id: eventId,
        number: 1,
        at: new Date(began),
        duration_millis: 12,
        trigger: "SCHEDULE",
        http_status: 500,
        error: null,
        answer: "a\ufffdb\ufffd",
        signature: "t=1,v1=0"
      }
    ])
  })

  test("that is written twice, because the first answer was lost, is logged once", async () => {
    const eventId = await write()
    const first = failure(eventId, 0)
    await record(first)
    await record(first)
    await record(failure(eventId, 1))
    await record(first)
    await record(success(eventId, 2))
    await record(success(eventId, 2))
    expect(await attemptTimes(ground.query, eventId)).toEqual([began, began + 1, began + 2])
    expect(await countsOf(endpointId)).toEqual([{ delivered: 1, failed: 2 }])
    expect(await state(eventId)).toMatchObject({ status: "DELIVERED", attempts: 3, dueAt: null })
  })

  test("of an actor that was replaced and does not know it is logged; a failure changes nothing, a success counts", async () => {
    const [won, saved] = [await write(), await write()]
    await record(success(won, 0, began + 5), failure(saved, 0, began + 5))
    await record(failure(won, 0, began + 9), success(saved, 0, began + 9))
    expect(await state(won)).toMatchObject({ status: "DELIVERED", attempts: 2, dueAt: null })
    expect(await state(saved)).toMatchObject({ status: "DELIVERED", attempts: 2, dueAt: null })
    expect(await attemptTimes(ground.query, won)).toEqual([began + 5, began + 9])
  })

  test("of an actor that was replaced uses up none of the remaining tries", async () => {
    const eventId = await write()
    for (let attempts = 0; attempts < 3; attempts++) await record(failure(eventId, attempts))
    await record(failure(eventId, 0, began + 700))
    expect(await state(eventId)).toMatchObject({ tries: 3, attempts: 4, dueAt: began + 2 + minute })
    await record(failure(eventId, 4, began + 800, { tries: 8, dueAt: null }))
    expect(await state(eventId)).toMatchObject({ status: "GIVEN_UP", tries: 8, dueAt: null })
  })

  test("of many deliveries and endpoints is written in one statement, also when one delivery is gone", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => write()))
    await record(...ids.map((id, at) => (at % 2 === 0 ? success(id, 0) : failure(id, 0))), failure(randomUUID(), 0))
    const states = await Promise.all(ids.map(state))
    expect(states.map((one) => one?.status)).toEqual(ids.map((_, at) => (at % 2 === 0 ? "DELIVERED" : "PENDING")))
  })

  test("of an attempt whose event was resent meanwhile leaves the resend as it is", async () => {
    const eventId = await write()
    for (let attempts = 0; attempts < 7; attempts++) await record(failure(eventId, attempts))
    // As the delivery log writes it, while the eighth attempt is under way.
    await ground.query(
      "update deliveries set status = 'PENDING', trigger = 'RESEND', due_at = $2, tries = 0 where event_id = $1",
      [eventId, new Date(began + 10)]
    )
    await record(failure(eventId, 7, began + 7, { tries: 8, dueAt: null }))
    expect(await state(eventId)).toMatchObject({ status: "PENDING", attempts: 8 })
    expect((await state(eventId))?.tries).toBeLessThan(8)
  })

  test("of a resend leaves the next attempts to the schedule, and the event delivered since its first success", async () => {
    const eventId = await write()
    await ground.query("update deliveries set trigger = 'RESEND' where event_id = $1", [eventId])
    const resent = { eventId: EventId.make(eventId), attempts: 0, trigger: "RESEND" } as const
    await record(failure(eventId, 0, began, { delivery: resent }))
    expect(await state(eventId)).toMatchObject({ status: "PENDING", trigger: "SCHEDULE", dueAt: began + minute })
    await record(success(eventId, 1, began + 5))
    await record(success(eventId, 2, began + 9))
    expect(await ground.query("select delivered_at from deliveries where event_id = $1", [eventId])).toEqual([
      { delivered_at: new Date(began + 5) }
    ])
  })

  test("that is written twice at the same time, while another transaction holds the row, is logged once", async () => {
    const eventId = await write()
    const holding = ground.query(
      "with held as (select 1 from deliveries where event_id = $1 for update) select pg_sleep(0.3) from held",
      [eventId]
    )
    const first = failure(eventId, 0)
    await Promise.all([record(first), record(first), holding])
    expect(await attemptTimes(ground.query, eventId)).toEqual([began])
  })
})

const turnOff = () =>
  ground.query(
    "update webhook_endpoints set enabled = false, off_reason = 'BY_HAND', off_since = now() where id = $1",
    [endpointId]
  )
const park = async () => {
  let rounds = 0
  while (await Effect.runPromise(ground.store.park(endpointId))) rounds += 1
  return rounds
}

describe("parking", () => {
  test("parks everything that is pending, and a parked delivery stays parked when its attempt fails", async () => {
    await ground.query(
      `with e as (
         insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
         select gen_random_uuid(), 1, gen_random_uuid(), w.company_id, false, 'journey.created', '{}', now()
         from webhook_endpoints w, generate_series(1, 2500) where w.id = $1 returning id
       )
       insert into deliveries (endpoint_id, event_id, status, due_at)
       select $1, id, 'PENDING', now() + interval '1 day' from e`,
      [endpointId]
    )
    const [failing, arriving] = [await write(), await write()]
    await turnOff()
    expect(await park()).toBe(3)
    await record(failure(failing, 0), success(arriving, 0))
    expect(await state(failing)).toMatchObject({ status: "PARKED", attempts: 1, dueAt: null })
    expect(await state(arriving)).toMatchObject({ status: "DELIVERED", attempts: 1 })
    expect(
      await ground.query(
        "select status, count(*)::int as n from deliveries where endpoint_id = $1 group by 1 order by 1",
        [endpointId]
      )
    ).toEqual([
      { status: "DELIVERED", n: 1 },
      { status: "PARKED", n: 2501 }
    ])
  })

  test("parks nothing at an endpoint that is on again", async () => {
    const eventId = await write()
    expect(await park()).toBe(0)
    expect(await state(eventId)).toMatchObject({ status: "PENDING" })
  })
})

describe("what is due", () => {
  test("is read oldest first, page after page, each delivery once", async () => {
    const ids: Array<string> = []
    for (let at = 0; at < 25; at++) ids.push(await write({ at: began - (at % 5) }))
    const expected = ids
      .map((id, at) => ({ id, at: began - (at % 5) }))
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    const found: Array<string> = []
    let after: { readonly dueAt: number; readonly eventId: EventId } | null = null
    for (;;) {
      const page: ReadonlyArray<DueWebhookDelivery> = await Effect.runPromise(
        ground.store.due({ endpointId, now: began, after, limit: 4 })
      )
      found.push(...page.map(({ eventId }) => eventId))
      const last = page.at(-1)
      if (last === undefined || last.dueAt === null) break
      after = { dueAt: last.dueAt, eventId: last.eventId }
    }
    expect(found).toEqual(expected.map(({ id }) => id))
  })

  test("is read exactly to the millisecond, and only for the endpoint that asks", async () => {
    const eventId = await write({ at: began + minute })
    await write({ at: began + minute + 1 })
    const company = await writeCompany(ground.query)
    const other = await writeEndpoint(ground.query, { companyId: company, url: "https://hooks.example.com/" })
    await writeEvent(ground.query, { endpointId: other, at: began })
    expect((await dueNow()).map((one) => one.eventId)).toEqual([eventId])
  })
})
