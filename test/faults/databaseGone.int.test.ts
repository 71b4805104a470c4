/**
 * PostgreSQL refuses connections or falls silent. Callers get TEMPORARILY_UNAVAILABLE within five seconds, and then
 * nothing was created. Once the database is back everything goes on by itself, alarms included.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"
import { hear, post, startedId, startOf, statusOf, unavailable, unlimited } from "./hear.ts"

/** Every kind of request, each with its status when all is well. */
const everyRequest = (service: Service, key: string, id: string, idempotencyKey: string) => [
  { what: "start", well: 202, ask: () => startOf(service, key, idempotencyKey) },
  { what: "read", well: 200, ask: () => hear(service, key, `/${id}`) },
  { what: "list", well: 200, ask: () => hear(service, key, "?size=5") },
  {
    what: "decide",
    well: 200,
    ask: () => hear(service, key, `/${id}/finance-decision`, post({ decision: "REFERRED" }, `${idempotencyKey}-decide`))
  },
  {
    what: "simulate",
    well: 200,
    ask: () => hear(service, key, `/${id}/simulate`, post({ event: "identity.verified" }, `${idempotencyKey}-simulate`))
  },
  {
    what: "cancel",
    well: 200,
    ask: () =>
      hear(
        service,
        key,
        `/${id}/cancel`,
        post({ reason: "The customer changed their mind" }, `${idempotencyKey}-cancel`)
      )
  }
]

describe("a database behind a network that fails", () => {
  let proxy: Proxy
  let service: Service
  let databaseUrl: string
  let company: TestCompany

  beforeAll(async () => {
    databaseUrl = await freshDatabase()
    proxy = await startProxy(databaseUrl)
    service = await startService({
      ...unlimited,
      DATABASE_URL: proxy.url,
      SANDBOX_STEP: "300 millis",
      SANDBOX_CALLER_STEP: "300 millis"
    })
    company = await makeCompany(service)
  })
  afterAll(async () => {
    await service.stop()
    await proxy.close()
  })

  const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
    queryDirectly<Row>(databaseUrl, text, values)
  const journal = async () =>
    (await query<{ readonly lines: number }>("select count(*)::int as lines from journal"))[0]?.lines
  const isBack = () =>
    eventually(
      () => hear(service, company.testKey, "?size=1"),
      (heard) => statusOf(heard) === 200
    )
  const completes = (id: string) =>
    eventually(
      () => query<{ readonly status: string }>("select status from journeys where id = $1", [id]),
      ([row]) => row?.status === "COMPLETED",
      30_000
    )
  const waiting = (idempotencyKey: string) =>
    startedId(service, company.testKey, idempotencyKey, `${idempotencyKey}+never@example.com`)

  it("that refuses leads to a 503 in time for every request; nothing is created, and the same requests succeed later", async () => {
    const id = await waiting("refuse-base-1")
    const moving = await startedId(service, company.testKey, "refuse-moving")
    proxy.refuse()
    const before = await journal()
    const requests = everyRequest(service, company.testKey, id, "refuse-start")
    for (const { ask, what } of requests)
      expect({ what, heard: await ask() }).toMatchObject({ what, heard: unavailable })
    expect(await Promise.all(requests.map(async ({ ask }) => statusOf(await ask())))).toEqual(requests.map(() => 503))
    expect(await journal()).toBe(before)
    proxy.heal()
    await isBack()
    for (const { ask, well, what } of requests)
      expect({ what, status: statusOf(await ask()) }).toEqual({ what, status: well })
    await completes(moving)
  })

  it("that falls silent lets every request end in time; a 503 has created nothing, and everything goes on later", async () => {
    const id = await waiting("silent-base-1")
    const moving = await startedId(service, company.testKey, "silent-moving")
    proxy.freeze()
    const requests = everyRequest(service, company.testKey, id, "silent-start")
    const atOnce = await Promise.all(requests.map(async ({ ask, what }) => ({ what, status: statusOf(await ask()) })))
    // Reads get 503. Nobody can know about writes that were on their way.
    expect(atOnce.filter(({ status }) => status !== 503 && status !== "dropped")).toEqual([])
    expect(atOnce.filter(({ what }) => what === "read" || what === "list").map(({ status }) => status)).toEqual([
      503, 503
    ])
    // By now no node remembers the API key, so no request gets as far as a write.
    const later = await startOf(service, company.testKey, "silent-later")
    expect(later).toMatchObject(unavailable)
    expect(await query("select 1 from journeys where idempotency_key = 'silent-later'")).toEqual([])
    proxy.heal()
    await isBack()
    await completes(moving)
    for (const { ask, what } of requests) {
      const heard = await ask()
      // A dropped request may have been carried out. It is then replayed.
      expect({ what, isWell: [200, 202].includes(Number(statusOf(heard))) }).toEqual({ what, isWell: true })
    }
    expect(await query("select count(*)::int as n from journeys where idempotency_key = 'silent-start'")).toEqual([
      { n: 1 }
    ])
    expect(await inconsistencies(query)).toEqual([])
  })

  it("that has forgotten every connection makes the service open new ones", async () => {
    const id = await waiting("forgotten-base-1")
    const moving = await startedId(service, company.testKey, "forgotten-moving")
    proxy.freeze()
    const requests = everyRequest(service, company.testKey, id, "forgotten-start")
    await Promise.all(requests.map(({ ask }) => ask()))
    proxy.healForNewcomers()
    await eventually(
      () => startOf(service, company.testKey, "forgotten-start"),
      (heard) => [200, 202].includes(Number(statusOf(heard))),
      30_000
    )
    await completes(moving)
    for (const { ask, what } of requests) {
      expect({ what, isWell: [200, 202].includes(Number(statusOf(await ask()))) }).toEqual({ what, isWell: true })
    }
    expect(await inconsistencies(query)).toEqual([])
  })
})
