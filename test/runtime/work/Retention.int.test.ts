import { afterAll, beforeAll, expect, it } from "vitest"
import { slotOf } from "../../../src/runtime/stores/company/PostgresRequestLog.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { askSettings } from "../../support/companies.ts"

let service: Service
let receiver: Receiver
let company: TestCompany
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", BASE_URL: "https://journeys.example" })
  receiver = await startReceiver()
  company = await makeCompany(service, {
    credits: 5,
    settings: { sandbox: { pace: "manual" }, identityProvider: { kind: "BUILT_IN" } }
  })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

const startAs = async (key: string, email: string): Promise<string> => {
  const body = startBody("CASH_SALE")
  body.customer.email = email
  return (await start(service, key, body)).data.id
}

/** Every table with rows that lead to a journey or its events. */
const tablesWith = async (journeyId: string) => {
  const { databaseUrl } = service
  const events = await queryDirectly<{ readonly id: string }>(
    databaseUrl,
    "select id from events where journey_id = $1",
    [journeyId]
  )
  const ids = [journeyId, ...events.map(({ id }) => id)]
  const tables = await queryDirectly<{ readonly name: string }>(
    databaseUrl,
    // The log of requests has thirty days of its own, and of a journey its id only.
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'requests%'"
  )
  const found: Array<string> = []
  // One after the other: each statement takes a connection of its own.
  for (const { name } of tables) {
    const rows = await queryDirectly<{ readonly line: string }>(databaseUrl, `select t::text as line from ${name} t`)
    if (rows.some(({ line }) => ids.some((id) => line.includes(id)))) found.push(name)
  }
  return found.toSorted()
}

it("removes test journeys that are thirty days old with all their data, and nothing younger and nothing live", async () => {
  await askSettings(service, `/companies/${company.id}/webhook-endpoints/test`, {
    method: "PUT",
    body: { url: receiver.url }
  })
  const old = await startAs(company.testKey, "both@example.com")
  const alone = await startAs(company.testKey, "alone@example.com")
  const young = await startAs(company.testKey, "both@example.com")
  const live = await startAs(company.liveKey, "live@example.com")
  const cancelled = await ask(service, company.testKey, `/api/v1/journeys/${alone}/cancel`, {
    body: { reason: "Sold to somebody else" }
  })
  expect(cancelled.status).toBe(200)
  expect(await tablesWith(alone)).toContain("ended_journeys")
  const before = await eventually(
    () => tablesWith(old),
    (names) => names.includes("attempts")
  )
  expect(before).toEqual(expect.arrayContaining(["deliveries", "events", "journal", "journeys", "mails"]))
  await service.query(
    "update journeys set created_at = now() - interval '30 days 1 second' where id = any($1::uuid[])",
    [`{${[old, alone, live].join()}}`]
  )
  await service.stop()
  // It looks as soon as it starts.
  service = await startService({ DATABASE_URL: service.databaseUrl, BASE_URL: "https://journeys.example" })
  await eventually(
    () => ask(service, company.testKey, `/api/v1/journeys/${old}`),
    ({ status }) => status === 404
  )
  expect(await tablesWith(old)).toEqual([])
  expect(await tablesWith(alone)).toEqual([])
  expect((await ask(service, company.testKey, `/api/v1/journeys/${young}`)).status).toBe(200)
  expect((await ask(service, company.liveKey, `/api/v1/journeys/${live}`)).status).toBe(200)
  const customers = await service.query("select livemode from customers where company_id = $1 order by livemode", [
    company.id
  ])
  expect(customers).toEqual([{ livemode: false }, { livemode: true }])
})

it("removes the photos of decided checks and the text of old mail, read or not, also of live journeys", async () => {
  const live = await startAs(company.liveKey, "mailed@example.com")
  const [mail] = await service.query<{ readonly id: string }>(
    "select id from mails where journey_id = $1 and is_unwritten order by kind limit 1",
    [live]
  )
  await askSettings(service, `/mail?journeyId=${live}`)
  await service.query("update mails set is_unwritten = true where id = $1", [mail?.id])
  await service.query("update mails set created_at = now() - interval '30 days 1 second' where journey_id = $1", [live])
  await service.query(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_document, sealed_selfie)
     select gen_random_uuid(), id, customer_id, 1, now() - interval '2 hours', 'UNCLEAR', '\\x01', '\\x01' from journeys where id = $1`,
    [live]
  )
  await service.stop()
  service = await startService({ DATABASE_URL: service.databaseUrl, BASE_URL: "https://journeys.example" })
  const kept = `
    select 'mail' as what from mails where journey_id = $1 and (sealed is not null or is_unwritten)
      and created_at < now() - interval '30 days'
    union all select 'photo' from identity_attempts where journey_id = $1
      and (sealed_document is not null or sealed_selfie is not null)`
  await eventually(
    () => service.query(kept, [live]),
    (rows) => rows.length === 0,
    30_000
  )
})

it("removes the days of the request log that no node emptied in time, also where their slots have new lines", async () => {
  const now = Date.now()
  const daysAgo = (days: number) => now - days * 86_400_000
  const note = (at: number) =>
    service.query(
      `insert into requests values ($1::int, first_id_at($2::timestamptz), $2::timestamptz, $3, false, $3, 'GET /', 200, null, '[]', 1, null, false)`,
      [slotOf(at), new Date(at), company.id]
    )
  // The slot of tomorrow is to be emptied today; those of today and of the days before should have been.
  const old = [31, 32, 33, 40, 64].map(daysAgo)
  const young = [29, 8, 1, 0].map(daysAgo)
  expect([slotOf(old[1] ?? 0), slotOf(old[3] ?? 0)]).toEqual([slotOf(young[3] ?? 0), slotOf(young[1] ?? 0)])
  for (const at of [...old, ...young]) await note(at)
  await service.stop()
  service = await startService({ DATABASE_URL: service.databaseUrl, BASE_URL: "https://journeys.example" })
  await eventually(
    () => service.query("select from requests where at < $1", [new Date(daysAgo(31) + 1)]),
    (rows) => rows.length === 0
  )
  const kept = await service.query<{ readonly at: Date }>(
    "select at from requests where route = 'GET /' and key_id = company_id order by at"
  )
  expect(kept.map(({ at }) => at.getTime())).toEqual(young)
})
