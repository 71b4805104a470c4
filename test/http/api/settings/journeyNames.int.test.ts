/** The customers' names in the list of a company's journeys: each look at them is written down. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany

const still = { sandbox: { identityConfigured: true, panelConfigured: true, credits: true, pace: "manual" } }

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 50, settings: still })
})
afterAll(() => service.stop())

const begin = async (
  firstName: string,
  lastName: string,
  { email = "names@example.com", key = company.testKey } = {}
) => {
  const body = startBody("CASH_SALE")
  Object.assign(body.customer, { firstName, lastName, email })
  const answer = await start(service, key, body)
  expect(answer.status, JSON.stringify(answer.errors)).toBe(202)
  return answer.data as { readonly id: string; readonly customerReference: string }
}

const list = (query = "") => askSettings(service, `/companies/${company.id}/journeys${query}`)
const search = (sought: string, of = company) =>
  askSettings(service, `/companies/${of.id}/journeys/search`, { body: { search: sought } })

const idsOf = (answer: Awaited<ReturnType<typeof list>>): ReadonlyArray<string> => {
  expect(answer.status, JSON.stringify(answer.errors)).toBe(200)
  return answer.data.content.map((one: { readonly journey: { readonly id: string } }) => one.journey.id)
}

it("a look at names is in the audit log with how many; the same piece again is the same look, and one without a name none", async () => {
  const { id: oldest } = await begin("Ann", "Buyer")
  const { customerReference, id: newest } = await begin("Bea", "Driver", { email: "erased@example.com" })
  const lines = async () =>
    (await askSettings(service, `/companies/${company.id}/audit?action=journeys.listed&size=100`)).data.content
  expect(idsOf(await list())).toEqual([newest, oldest])
  const before = await lines()
  expect(before).toMatchObject([{ actor: "operator", details: { names: 2, newest, oldest } }])
  await list()
  expect(await lines()).toEqual(before)
  const token = { name: "looks-at-journeys", scopes: ["journeys:read"] }
  const { data: made } = await askSettings(service, "/operator-tokens", { body: token })
  expect(idsOf(await ask(service, made.token, `/settings/v1/companies/${company.id}/journeys`))).toHaveLength(2)
  expect(await lines()).toHaveLength(before.length + 1)
  idsOf(await search(newest))
  const after = await lines()
  expect(after[0]).toMatchObject({ details: { names: 1, newest, oldest: newest } })
  await search("nothing is like this")
  await askSettings(service, `/companies/${company.id}/customers/${customerReference}`, { method: "DELETE" })
  expect((await search(newest)).data.content).toMatchObject([{ customerName: null, registration: null }])
  expect(await lines()).toEqual(after)
  expect(JSON.stringify(after)).not.toMatch(/Ann|Bea/)
})
