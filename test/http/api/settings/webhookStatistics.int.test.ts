import { describe, expect, it } from "vitest"
import { countsStatement, pendingStatement } from "../../../../src/runtime/stores/webhook/deliveryLogStatements.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { eventually } from "../../../support/eventually.ts"
import { aboutEndpoint, allDelivered, codesOf, endpointPathOf, startedEvents, webhookGround } from "./webhookGround.ts"

const ground = webhookGround()
const about = aboutEndpoint(ground)
const save = async (body: object = {}): Promise<{ readonly id: string }> =>
  (await about("", { method: "PUT", body: { url: ground.receiver.url, ...body } })).data
const statistics = async (hours = 1) => (await about(`/statistics?hours=${hours}`)).data

describe("an endpoint's statistics", () => {
  it("count what was delivered and what failed, and say what waits since when", async () => {
    await save()
    const delivered = await startedEvents(ground)
    await allDelivered(ground, delivered.length)
    ground.receiver.answer(500)
    const [oldest] = await startedEvents(ground)
    const found = await eventually(statistics, ({ failed }) => failed >= delivered.length)
    const attempts = delivered.length + found.failed
    expect(found).toMatchObject({
      delivered: delivered.length,
      successRate: delivered.length / attempts,
      p50Millis: expect.any(Number),
      p95Millis: expect.any(Number),
      pending: found.failed
    })
    const { data } = await about(`/deliveries/${oldest?.id}`)
    expect(found.oldestPendingAt).toBe(data.createdAt)
    expect(found.perHour.at(-1)).toMatchObject({ failed: found.failed })
  })

  it("leave pings and samples out", async () => {
    await save()
    await about("/ping", { method: "POST" })
    await about("/sample", { body: { type: "identity.verified" } })
    expect(await statistics()).toMatchObject({ delivered: 0, failed: 0, successRate: null, pending: 0 })
  })

  it("go back a day unless another time is asked for, and a week at most", async () => {
    await save()
    expect((await about("/statistics")).data.perHour).toHaveLength(24)
    expect((await statistics(168)).perHour).toHaveLength(168)
    for (const hours of ["0", "169", "x"]) {
      expect(codesOf(await about(`/statistics?hours=${hours}`))).toEqual([["hours", "VALIDATION_FAILED"]])
    }
  })

  it("are a company's own, and stay when the endpoint is removed", async () => {
    await save()
    const events = await startedEvents(ground)
    await allDelivered(ground, events.length)
    const other = await makeCompany(ground.service)
    const foreign = await askSettings(ground.service, `${endpointPathOf(other.id, "test")}/statistics`)
    expect([foreign.status, codesOf(foreign)]).toEqual([404, [["webhookEndpoint", "NOT_FOUND"]]])
    await about("", { method: "DELETE" })
    expect((await statistics()).delivered).toBe(events.length)
  })

  it("read few pages by index, however many deliveries there are", async () => {
    const { id } = await save({ enabled: false })
    const directly = (text: string, values: ReadonlyArray<unknown> = []) =>
      queryDirectly(ground.service.databaseUrl, text, values)
    const written = hourNow()
    await directly(
      `with e as (
         insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
         select gen_random_uuid(), 1, gen_random_uuid(), $1::uuid, false, 'journey.created', '{}', now()
         from generate_series(1, 100000) returning id
       )
       insert into deliveries (endpoint_id, event_id, status, attempts, due_at)
       select $2::uuid, id, case when row_number() over () % 100 = 0 then 'PENDING' else 'DELIVERED' end, 1,
         case when row_number() over () % 100 = 0 then now() + interval '1 year' end from e`,
      [ground.company.id, id]
    )
    await directly(
      `insert into endpoint_hours (endpoint_id, hour, step, delivered, failed)
       select case when e = 0 then $1::uuid else gen_random_uuid() end, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', s, 30, 1
       from generate_series(0, 60) e, generate_series(0, 167) h, generate_series(10, 29) s`,
      [id]
    )
    await directly("analyze deliveries, events, endpoint_hours")
    const explain = async (statement: string, ...values: ReadonlyArray<unknown>) => {
      const [row] = await ground.service.query<{ readonly "QUERY PLAN": ReadonlyArray<Explained> }>(
        `explain (analyze, buffers, format json) ${statement}`,
        values
      )
      const [found] = row?.["QUERY PLAN"] ?? []
      const text = JSON.stringify(found)
      return { pages: (found?.Plan["Shared Hit Blocks"] ?? 0) + (found?.Plan["Shared Read Blocks"] ?? 0), text }
    }
    const counts = await explain(countsStatement, id, new Date(Date.now() - 167 * 3_600_000))
    const waiting = await explain(pendingStatement, id)
    for (const { text } of [counts, waiting]) expect(text).not.toContain("Seq Scan")
    // A page for each count of a week at most: they were written in another order.
    expect(counts.pages).toBeLessThan(168 * 20 + 100)
    expect(waiting.pages).toBeLessThan(1200)
    const told = await statistics(168)
    // An hour may have ended meanwhile: then the first of those that were written is none of the last 168.
    const hours = 168 - (hourNow() - written)
    expect(told).toMatchObject({ pending: 1000, delivered: hours * 20 * 30 })
  })
})

const hourNow = (): number => Math.floor(Date.now() / 3_600_000)

interface Explained {
  readonly Plan: { readonly "Shared Hit Blocks"?: number; readonly "Shared Read Blocks"?: number }
}
