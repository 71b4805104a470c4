import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"
import { isPromised } from "../../documents/promised.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ SANDBOX_STEP: "100 millis", SANDBOX_CALLER_STEP: "100 millis" })
  company = await makeCompany(service, { name: "Quay Cars" })
})
afterAll(() => service.stop())

const startedId = async (email: string): Promise<string> => {
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  body.customer.email = email
  return (await start(service, company.testKey, body)).data.id
}

const breakRow = (id: string) =>
  service.query('update journeys set state = \'{"status":"ACTIVE"}\', wake_at = now() where id = $1', [id])

const list = (query = "") => askSettings(service, `/journeys/set-aside${query}`)
const retry = (id: string) => askSettings(service, `/journeys/${id}/retry`, { method: "POST" })
const idsOf = (answer: Awaited<ReturnType<typeof list>>): ReadonlyArray<string> =>
  answer.data.content.map((one: { readonly journeyId: string }) => one.journeyId)

it("lists a journey that cannot be woken, with why and since when", async () => {
  const none = await list()
  expect(none.data).toEqual({ content: [], next: null })
  const id = await startedId("broken+never@example.com")
  await breakRow(id)
  const answer = await eventually(list, ({ data }) => data.content.length === 1)
  isPromised("listSetAsideJourneys", answer)
  expect(answer.data).toEqual({
    content: [
      {
        journeyId: id,
        companyId: company.id,
        companyName: "Quay Cars",
        mode: "TEST",
        type: "FINANCE_IDENTITY_DELIVERY",
        since: expect.stringMatching(/^20.*Z$/),
        reason: "UNREADABLE",
        dueSince: expect.stringMatching(/^20.*Z$/)
      }
    ],
    next: null
  })
})

it("sets a journey aside anew whose retry fails, and says so since the later time", async () => {
  const [first] = (await list()).data.content
  const answer = await retry(first.journeyId)
  isPromised("retryJourney", answer)
  expect([answer.status, answer.data]).toEqual([200, { journeyId: first.journeyId }])
  const again = await eventually(list, ({ data }) => data.content.length === 1 && data.content[0].since !== first.since)
  expect(again.data.content[0]).toMatchObject({ journeyId: first.journeyId, reason: "UNREADABLE" })
})

it("goes on with a journey whose row was mended, once it is retried, and writes that down", async () => {
  const [{ journeyId }] = (await list()).data.content
  const twin = await startedId("twin+never@example.com")
  await service.query(
    `update journeys set state = (
      select (replace(t.state::text, t.id::text, $1::text))::json from journeys t where t.id = $2
    ), version = (select version from journeys where id = $2) where id = $1::uuid`,
    [journeyId, twin]
  )
  expect(idsOf(await list())).toEqual([journeyId])
  expect((await retry(journeyId)).status).toBe(200)
  await eventually(
    () => ask(service, company.testKey, `/api/v1/journeys/${journeyId}`),
    ({ status }) => status === 200
  )
  expect(idsOf(await list())).toEqual([])
  const audit = await askSettings(service, `/companies/${company.id}/audit`)
  expect(audit.data.content[0]).toMatchObject({
    actor: "operator",
    action: "journey.retried",
    details: { journeyId }
  })
})

it("refuses to retry a journey that is not set aside, or that is none", async () => {
  const id = await startedId("well+never@example.com")
  const refused = await retry(id)
  isPromised("retryJourney", refused)
  expect([refused.status, refused.errors?.[0]?.code]).toEqual([409, "CONFLICT"])
  for (const unknown of ["00000000-0000-4000-8000-000000000000", "none"]) {
    const missing = await retry(unknown)
    isPromised("retryJourney", missing)
    expect([missing.status, missing.errors?.[0]?.field]).toEqual([404, "journey"])
  }
  const audit = await askSettings(service, `/companies/${company.id}/audit`)
  expect(audit.data.content.filter((one: { readonly details: object }) => JSON.stringify(one).includes(id))).toEqual([])
})

it("goes through many, each once, page by page", async () => {
  const ids = await Promise.all(Array.from({ length: 7 }, (_, at) => startedId(`aside-${at}+never@example.com`)))
  await service.query(
    `update journeys set set_aside_at = timestamptz '2026-01-15 10:00:00.000123Z', set_aside_reason = 'FAILED'
     where id = any($1::uuid[])`,
    [`{${ids.join()}}`]
  )
  const seen: Array<string> = []
  let after = ""
  do {
    const answer = await list(`?size=3${after}`)
    expect(answer.data.content.length).toBeLessThanOrEqual(3)
    seen.push(...idsOf(answer))
    after = answer.data.next === null ? "" : `&after=${answer.data.next}`
  } while (after !== "")
  expect(seen.toSorted()).toEqual(ids.toSorted())
  for (const wrong of ["x", "MXwxfDE", "A".repeat(200)]) {
    const answer = await list(`?after=${wrong}`)
    isPromised("listSetAsideJourneys", answer)
    expect(answer.errors?.[0]).toMatchObject({ field: "after", code: "VALIDATION_FAILED" })
  }
})
