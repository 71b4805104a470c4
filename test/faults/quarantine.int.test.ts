/**
 * A journey whose row cannot be read is set aside and harms nobody else (FAULT-21). Alarms that passed while no service
 * ran fire once when a service runs again.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"

const startedId = async (service: Service, key: string, email: string): Promise<string> => {
  const body = startBody("IDENTITY_DELIVERY")
  const answer = await start(service, key, { ...body, customer: { ...body.customer, email } })
  expect(answer.status).toBe(202)
  return answer.data.id
}

const completes = (service: Service, key: string, id: string) =>
  eventually(
    () => ask(service, key, `/api/v1/journeys/${id}`),
    ({ data }) => data?.status === "COMPLETED",
    20_000
  )

describe("a journey whose row cannot be read", () => {
  let service: Service
  let company: TestCompany
  let broken: string
  const logged = vi.spyOn(console, "log")

  beforeAll(async () => {
    service = await startService({ SANDBOX_STEP: "100 millis", SANDBOX_CALLER_STEP: "100 millis" })
    company = await makeCompany(service)
    broken = await startedId(service, company.testKey, "broken+never@example.com")
    await service.query('update journeys set state = \'{"status":"ACTIVE"}\', wake_at = now() where id = $1', [broken])
  })
  afterAll(async () => {
    logged.mockRestore()
    await service.stop()
  })

  it("is answered with 500 in the envelope, whatever the request", async () => {
    const path = `/api/v1/journeys/${broken}`
    const answers = [
      await ask(service, company.testKey, path),
      await ask(service, company.testKey, `${path}/finance-decision`, { body: { decision: "APPROVED" } }),
      await ask(service, company.testKey, `${path}/simulate`, { body: { event: "identity.verified" } }),
      await ask(service, company.testKey, `${path}/cancel`, { body: { reason: "The customer changed their mind" } })
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 500, success: false, data: null, errors: [{ code: "INTERNAL_ERROR" }] })
      expect(JSON.stringify(answer)).not.toMatch(/schema|missing key|select|node_modules|\.ts/i)
    }
  })

  it("is set aside with an error in the log, and other journeys go on", async () => {
    await eventually(
      () =>
        service.query<{ readonly set_aside_at: Date | null }>("select set_aside_at from journeys where id = $1", [
          broken
        ]),
      ([row]) => row?.set_aside_at != null
    )
    const lines = logged.mock.calls.map((words) =>
      words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" ")
    )
    expect(lines.filter((line) => line.includes("set aside") && line.includes(broken)).length).toBe(1)
    const other = await startedId(service, company.testKey, "other@example.com")
    await completes(service, company.testKey, other)
  })

  it("is left out of the list, which still answers", async () => {
    const list = await ask(service, company.testKey, "/api/v1/journeys?size=100")
    expect(list.status).toBe(200)
    expect(list.data.content.length).toBeGreaterThan(0)
    expect(list.data.content.map(({ id }: { readonly id: string }) => id)).not.toContain(broken)
  })

  it("is woken again from its next committed message on, once the row is repaired", async () => {
    const twin = await startedId(service, company.testKey, "twin+never@example.com")
    await service.query(
      `update journeys set state = (
        select (replace(t.state::text, t.id::text, $1::text))::json from journeys t where t.id = $2
      ) where id = $1::uuid`,
      [broken, twin]
    )
    const answer = await ask(service, company.testKey, `/api/v1/journeys/${broken}/simulate`, {
      body: { event: "identity.verified" }
    })
    expect(answer.status).toBe(200)
    expect(await service.query("select set_aside_at from journeys where id = $1", [broken])).toEqual([
      { set_aside_at: null }
    ])
  })
})

describe("a journey whose own rules refuse what is due", () => {
  it("is set aside with that reason, and listed with it", async () => {
    const service = await startService()
    try {
      const company = await makeCompany(service)
      const id = await startedId(service, company.testKey, "refused+never@example.com")
      // The handover is owed although the identity is not verified.
      await service.query(
        `update journeys set version = version + 1, wake_at = now(), state = jsonb_set(
          state::jsonb, '{owed}', '[{"kind":"CREATE_HANDOVER","serial":99}]')::json where id = $1`,
        [id]
      )
      const { data } = await eventually(
        () => askSettings(service, "/journeys/set-aside"),
        (answer) => answer.data.content.length > 0
      )
      expect(data.content).toEqual([expect.objectContaining({ journeyId: id, reason: "REFUSED" })])
    } finally {
      await service.stop()
    }
  })
})

describe("alarms that passed while nothing ran", () => {
  it("fire once after the start", async () => {
    const databaseUrl = await freshDatabase()
    const first = await startService({
      DATABASE_URL: databaseUrl,
      SANDBOX_STEP: "1 hour",
      SANDBOX_CALLER_STEP: "1 hour"
    })
    const company = await makeCompany(first)
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, at) => startedId(first, company.testKey, `overdue-${at}@example.com`))
    )
    // As if the hour had passed while no service ran.
    await first.query(
      `update journeys set wake_at = now() - interval '1 minute', state = jsonb_set(
        state::jsonb, '{sandbox,tickAt}', to_jsonb((extract(epoch from now()) * 1000)::bigint - 60000))::json`
    )
    await first.stop()

    const second = await startService({
      DATABASE_URL: databaseUrl,
      SANDBOX_STEP: "100 millis",
      SANDBOX_CALLER_STEP: "100 millis"
    })
    const versions = () =>
      second.query<{ readonly version: number }>("select version from journeys where id = any($1::uuid[])", [
        `{${ids.join()}}`
      ])
    await eventually(versions, (rows) => rows.every(({ version }) => version > 1))
    // Many more looks happen while another journey is completed.
    await completes(second, company.testKey, await startedId(second, company.testKey, "quick@example.com"))
    const ticks = await second.query<{ readonly n: number }>(
      "select count(*)::int as n from journal where sender = 'sandbox' and journey_id = any($1::uuid[]) group by journey_id",
      [`{${ids.join()}}`]
    )
    expect(ticks).toEqual(ids.map(() => ({ n: 1 })))
    await second.stop()
  })
})
