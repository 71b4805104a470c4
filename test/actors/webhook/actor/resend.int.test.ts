/**
 * Sending a range of events again, in pieces: which events are wanted, that a piece leaves room for new events, and that no
 * committed event is missed, whatever else happens in the database.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import type { EventType } from "../../../../src/schema/journey/events.ts"
import { startGround, writeCompany, type Ground } from "../../../support/endpointActors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshDatabase } from "../../../support/service.ts"
import { EndpointId } from "../../../../src/schema/ids.ts"

const now = Date.parse("2026-03-01T08:00:00Z")
const day = 86_400_000

let ground: Ground
let companyId: string
let endpointId: string

beforeAll(async () => {
  ground = await startGround(await freshDatabase())
})
afterAll(() => ground.stop())
beforeEach(async () => {
  companyId = await writeCompany(ground.query)
  endpointId = await writeEndpoint(ground.query, {
    companyId,
    url: "https://hooks.example.com/",
    events: ["journey.*", "identity.verified"]
  })
})

interface Written {
  readonly type?: EventType
  readonly journeyId?: string
  readonly at?: number
  readonly livemode?: boolean
  readonly sequence?: number
  /** Null: nobody wanted it when it was made. */
  readonly status?: "PENDING" | "DELIVERED" | "GIVEN_UP" | "PARKED" | null
}

const writeEvent = async (of: Written = {}): Promise<string> => {
  const { at = now - day, journeyId = randomUUID(), livemode = false, sequence = 1, status = "PARKED" } = of
  const id = nextId()
  await ground.query(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     values ($1, $2, $3, $4, $5, $6, '{}', $7)`,
    [journeyId, sequence, id, companyId, livemode, of.type ?? "journey.created", new Date(at)]
  )
  if (status !== null) {
    await ground.query(
      `insert into deliveries (endpoint_id, event_id, status, attempts, tries, due_at)
       values ($1, $2, $3, 8, 8, case when $3 = 'PENDING' then now() end)`,
      [endpointId, id, status]
    )
  }
  return id
}
const writeMany = (count: number) =>
  ground.query(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     select gen_random_uuid(), 1, gen_random_uuid(), $1, false, 'journey.created', '{}', $2 from generate_series(1, $3::int)`,
    [companyId, new Date(now - day), count]
  )

interface Range {
  readonly since?: number
  readonly types?: ReadonlyArray<EventType>
  readonly journeyId?: string
  readonly delivered?: boolean
}

const begin = async ({ delivered = false, journeyId, since = now - 7 * day, types }: Range = {}) => {
  const id = randomUUID()
  await ground.query(
    `insert into resend_tasks (id, endpoint_id, since, types, journey_id, delivered, created_at)
     values ($1, $2, $3, $4::text[], $5, $6, $7)`,
    [
      id,
      endpointId,
      new Date(since),
      types === undefined ? null : `{${types.join()}}`,
      journeyId ?? null,
      delivered,
      new Date(now)
    ]
  )
  return id
}
const goOn = () => Effect.runPromise(ground.store.resendMore(EndpointId.make(endpointId), now))
/** Until it is finished, or as much of it waits as may. Other tests' transactions can make it come back later. */
const work = () =>
  eventually(
    async () => ({ is: await goOn(), waiting: (await resent()).length }),
    ({ is, waiting }) => is === "None" || (is === "Later" && waiting >= 500)
  )
const resent = async () =>
  (
    await ground.query<{ readonly id: string }>(
      `select event_id as id from deliveries
       where endpoint_id = $1 and status = 'PENDING' and trigger = 'RESEND' and tries = 0 and due_at = $2`,
      [endpointId, new Date(now)]
    )
  ).map(({ id }) => id)
const task = async () => {
  const [row] = await ground.query<{ readonly queued: number; readonly finished_at: Date | null }>(
    "select queued, finished_at from resend_tasks where endpoint_id = $1 order by created_at desc limit 1",
    [endpointId]
  )
  return row
}
const deliverAll = () =>
  ground.query(
    "update deliveries set status = 'DELIVERED', due_at = null, trigger = 'SCHEDULE' where endpoint_id = $1 and status = 'PENDING'",
    [endpointId]
  )

describe("a resend of missed events", () => {
  test("sends what was given up, parked or never wanted, within its range and the endpoint's choice, and nothing else", async () => {
    const wanted = [
      await writeEvent({ status: "PARKED" }),
      await writeEvent({ status: "GIVEN_UP", type: "journey.completed" }),
      await writeEvent({ status: null, type: "identity.verified" }),
      await writeEvent({ at: now - 7 * day })
    ]
    await writeEvent({ status: "DELIVERED" })
    await writeEvent({ status: "PENDING" })
    await writeEvent({ type: "identity.failed" })
    await writeEvent({ at: now - 7 * day - 1 })
    await writeEvent({ at: now + 1 })
    await writeEvent({ livemode: true, status: null })
    await writeEvent({ sequence: 0 })
    await begin()
    await work()
    expect((await resent()).toSorted()).toEqual(wanted.toSorted())
    expect(await task()).toEqual({ queued: 4, finished_at: new Date(now) })
    expect(await goOn()).toBe("None")
  })

  test("sends only the types and the journey that are named, whether or not the endpoint has chosen them", async () => {
    const journeyId = randomUUID()
    const wanted = await writeEvent({ journeyId, type: "identity.failed", status: null })
    await writeEvent({ journeyId, type: "journey.created", sequence: 2 })
    await writeEvent({ type: "identity.failed", status: null })
    await begin({ journeyId, types: ["identity.failed", "delivery.created"] })
    await work()
    expect(await resent()).toEqual([wanted])
  })

  test("sends delivered events as well when it is asked to", async () => {
    const wanted = [await writeEvent({ status: "DELIVERED" }), await writeEvent()]
    await begin({ delivered: true })
    await work()
    expect((await resent()).toSorted()).toEqual(wanted.toSorted())
  })

  test("pauses while five hundred of its events wait, and goes on to the last one, with or without restarts", async () => {
    await writeMany(2300)
    await begin()
    let taken = 0
    for (let round = 0; round < 20 && (await task())?.finished_at === null; round++) {
      await work()
      const waiting = (await resent()).length
      expect(waiting).toBeLessThan(1000)
      taken += waiting
      await deliverAll()
    }
    expect(taken).toBe(2300)
    expect(await task()).toEqual({ queued: 2300, finished_at: new Date(now) })
  })

  test("parks its events when the endpoint has been turned off meanwhile", async () => {
    const id = await writeEvent({ status: "GIVEN_UP" })
    await ground.query(
      "update webhook_endpoints set enabled = false, off_reason = 'BY_HAND', off_since = now() where id = $1",
      [endpointId]
    )
    await begin()
    await work()
    expect(await ground.query("select status, due_at from deliveries where event_id = $1", [id])).toEqual([
      { status: "PARKED", due_at: null }
    ])
  })
})

/** A transaction that has written an event and takes its time; answers with the event's id and its end. */
const slowCommit = () => {
  const id = nextId()
  const ended = ground.query(
    `with e as (
       insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       values ($1, 1, $2, $3, false, 'journey.created', '{}', $4) returning id
     ) select pg_sleep(0.8) from e`,
    [randomUUID(), id, companyId, new Date(now - day)]
  )
  const begun = eventually(
    () =>
      ground.query(
        "select 1 from pg_stat_activity where query like '%pg_sleep(0.8) from e' and backend_xid is not null"
      ),
    (rows) => rows.length > 0
  )
  return { id, ended, begun }
}

describe("events that are committed out of order", () => {
  test("are not missed: a task waits for a transaction that is older than what it sees", async () => {
    const before = await writeEvent()
    const slow = slowCommit()
    await slow.begun
    const after = await writeEvent()
    await begin()
    expect(await goOn()).not.toBe("None")
    expect(await task()).toMatchObject({ finished_at: null })
    expect(await resent()).toEqual([before])
    await slow.ended
    await eventually(goOn, (is) => is === "None")
    expect((await resent()).toSorted()).toEqual([before, slow.id, after].toSorted())
    expect(await task()).toMatchObject({ queued: 3 })
  })

  test("are sent once each, however often the task looks at them", async () => {
    const slow = slowCommit()
    await slow.begun
    await begin()
    for (let time = 0; time < 5; time++) expect(await goOn()).toBe("Later")
    await slow.ended
    await eventually(goOn, (is) => is === "None")
    expect(await task()).toMatchObject({ queued: 1 })
  })
})
