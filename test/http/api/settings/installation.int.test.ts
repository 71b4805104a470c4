import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { startService, type Service } from "../../../support/service.ts"
import { isPromised } from "../../documents/promised.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
  company = await makeCompany(service, { name: "Harbour Cars" })
})
afterAll(() => service.stop())

it("says of a node that is alone that it runs everything", async () => {
  const answer = await askSettings(service, "/runners")
  isPromised("listRunners", answer)
  expect(answer.data).toEqual({
    nodes: "ONE",
    answeredBy: null,
    shards: 300,
    shardsWithoutRunner: 0,
    content: [{ address: null, healthy: true, since: expect.stringMatching(/^20.*Z$/), shards: 300 }]
  })
})

const failingAt = async (name: string, state: string) => {
  const { id } = await makeCompany(service, { name })
  const endpoint = await writeEndpoint(service.query, {
    companyId: id,
    livemode: true,
    url: "https://hooks.example.com:8443/path-of-canary?token=canary"
  })
  await service.query(`update webhook_endpoints set ${state} where id = $1`, [endpoint])
  return endpoint
}

const since = (hours: number) => `failing_since = timestamptz '2026-01-15 10:00:00Z' - interval '${hours} hours'`

it("lists the endpoints that nothing reaches, the longest failing first, and never the path of a URL", async () => {
  const tried = await failingAt("Tried", `${since(1)}, last_failed_at = now()`)
  const off = await failingAt(
    "Off",
    `${since(80)}, enabled = false, off_reason = 'UNREACHABLE', off_since = timestamptz '2026-01-15 10:00:00Z'`
  )
  await failingAt("By hand", `${since(9)}, enabled = false, off_reason = 'BY_HAND', off_since = now()`)
  await failingAt("Removed", `${since(9)}, enabled = false, off_reason = 'UNREACHABLE', removed_at = now()`)
  await failingAt("Well", "failing_since = null")
  const answer = await askSettings(service, "/webhook-endpoints/failing")
  isPromised("listFailingEndpoints", answer)
  expect(JSON.stringify(answer.data)).not.toContain("canary")
  expect(answer.data).toEqual({
    content: [
      expect.objectContaining({
        id: off,
        companyName: "Off",
        mode: "LIVE",
        url: "https://hooks.example.com:8443",
        enabled: false,
        failingSince: "2026-01-12T02:00:00.000Z",
        offSince: "2026-01-15T10:00:00.000Z"
      }),
      expect.objectContaining({ id: tried, companyName: "Tried", enabled: true, offSince: null })
    ],
    next: null
  })
  const first = await askSettings(service, "/webhook-endpoints/failing?size=1")
  const second = await askSettings(service, `/webhook-endpoints/failing?size=1&after=${first.data.next}`)
  expect([first.data.content[0].id, second.data.content[0].id, second.data.next]).toEqual([off, tried, null])
})

it("counts what is open over all companies", async () => {
  const before = await askSettings(service, "/open-work")
  isPromised("getOpenWork", before)
  expect(before.data).toMatchObject({ countedTo: 1000, setAsideJourneys: 0, failingEndpoints: 2 })
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  await service.query("update journeys set set_aside_at = now() where id = $1", [data.id])
  await start(service, company.testKey, startBody("IDENTITY_DELIVERY"))
  await service.query(
    `insert into mails (id, cause, kind, company_id, facts, created_at, due_at)
     values (gen_random_uuid(), 'count', 'ENDPOINT_OFF', $1, '{}', now(), now() + interval '1 hour')`,
    [company.id]
  )
  const after = await askSettings(service, "/open-work")
  expect(after.data).toMatchObject({
    activeJourneys: before.data.activeJourneys + 2,
    setAsideJourneys: 1,
    alarms: { waiting: before.data.alarms.waiting + 1, oldestDue: null }
  })
  expect(after.data.mails.waiting).toBeGreaterThan(0)
})

it("finds companies by the beginning of their name in any case, and by their id", async () => {
  const made = await makeCompany(service, { name: "Ölwerk 100%_Autos" })
  const found = async (search: string) => {
    const answer = await askSettings(service, `/companies?search=${encodeURIComponent(search)}`)
    isPromised("listCompanies", answer)
    return (answer.data?.content ?? []).map((one: { readonly name: string }) => one.name)
  }
  expect(await found("hARBOUR")).toEqual(["Harbour Cars"])
  expect(await found(" ölwerk")).toEqual(["Ölwerk 100%_Autos"])
  expect(await found("Ölwerk 100%_")).toEqual(["Ölwerk 100%_Autos"])
  for (const nothing of ["%", "_", "Cars", "Harbour\\", "00000000-0000-4000-8000-000000000000"]) {
    expect(await found(nothing), nothing).toEqual([])
  }
  expect(await found(made.id.toUpperCase())).toEqual(["Ölwerk 100%_Autos"])
  const wrong = await askSettings(service, "/companies?search=%20")
  isPromised("listCompanies", wrong)
  expect(wrong.errors?.[0]).toMatchObject({ field: "search", code: "VALIDATION_FAILED" })
})

it("lists the journeys of all companies by what they wait on, the longest waiting first, from the age that is asked for", async () => {
  const other = await makeCompany(service, { name: "Waiting Cars" })
  const ids: Array<string> = []
  for (const { testKey } of [company, other]) {
    ids.push((await start(service, testKey, startBody("IDENTITY_DELIVERY"))).data.id)
  }
  const [older = "", newer = ""] = ids
  await service.query("update journeys set waiting_since = now() - interval '3 days' where id = $1", [older])
  const waiting = async (query: string) => {
    const answer = await askSettings(service, `/journeys/waiting?${query}`)
    isPromised("listWaitingJourneys", answer)
    return answer
  }
  const on = "waitingOn=CUSTOMER_TO_VERIFY_IDENTITY"
  const found = (await waiting(`${on}&size=100`)).data.content
  const at = (id: string) => found.findIndex((one: { readonly journeyId: string }) => one.journeyId === id)
  expect(found[at(older)]).toMatchObject({ companyName: "Harbour Cars", mode: "TEST", type: "IDENTITY_DELIVERY" })
  expect(at(older)).toBeGreaterThanOrEqual(0)
  expect(at(newer)).toBeGreaterThan(at(older))
  const old = (await waiting(`${on}&olderThan=48`)).data.content
  expect(old.map((one: { readonly journeyId: string }) => one.journeyId)).toEqual([older])
  const first = (await waiting(`${on}&size=1`)).data
  expect(first.content).toHaveLength(1)
  expect((await waiting(`${on}&size=1&after=${first.next}`)).data.content[0].journeyId).not.toBe(
    first.content[0].journeyId
  )
  const wrong = await waiting("waitingOn=NOTHING")
  expect([wrong.status, wrong.errors?.[0]]).toEqual([400, expect.objectContaining({ field: "waitingOn" })])
})
