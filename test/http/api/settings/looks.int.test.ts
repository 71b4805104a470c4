/** Looks at personal data that change nothing are in the audit log: at a journey's timeline, and at the built-in mailbox. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany
let other: TestCompany
let journeyId: string
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
})
afterAll(() => service.stop())
beforeEach(async () => {
  company = await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 10 })
  other = await makeCompany(service)
  journeyId = (await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))).data.id
})

const looks = async ({ id }: TestCompany, action: string) =>
  (await askSettings(service, `/companies/${id}/audit?action=${action}`)).data.content

/** A token of the operator with a name of its own: another asker. */
const namedToken = async (name: string): Promise<string> =>
  (await askSettings(service, "/operator-tokens", { body: { name, scopes: ["journeys:read"] } })).data.token

it("a look at a timeline is written down once for each who looks, and a refused one is none", async () => {
  const timeline = `/companies/${company.id}/journeys/${journeyId}/timeline`
  for (let page = 0; page < 2; page += 1) {
    expect((await askSettings(service, `${timeline}?page=${page}&size=1`)).status).toBe(200)
  }
  const named = await ask(service, await namedToken("night-watch"), `/settings/v1${timeline}`)
  expect([named.status, named.errors]).toEqual([200, null])
  expect((await askSettings(service, `/companies/${other.id}/journeys/${journeyId}/timeline`)).status).toBe(404)
  expect(await looks(company, "timeline.opened")).toMatchObject([
    { actor: "operator:night-watch", details: { journeyId } },
    { actor: "operator", details: { journeyId } }
  ])
  expect(await looks(other, "timeline.opened")).toEqual([])
})

it("a look at the built-in mailbox is written down at each company whose mail it showed", async () => {
  await eventually(
    () => askSettings(service, `/mail?journeyId=${journeyId}`),
    ({ data }) => data.content.length > 0
  )
  expect(await looks(company, "mail.read")).toMatchObject([{ actor: "operator", details: { journeyId } }])
  expect(await looks(other, "mail.read")).toEqual([])
})

it("a look at the mail of several companies is written down at each of them, once", async () => {
  const companies = [await makeCompany(service, { invite: true }), await makeCompany(service, { invite: true })]
  for (let look = 0; look < 2; look += 1) {
    await eventually(
      () => askSettings(service, "/mail?size=100"),
      ({ data }) => companies.every(({ id }) => JSON.stringify(data.content).includes(id))
    )
  }
  for (const one of companies) expect(await looks(one, "mail.read")).toMatchObject([{ actor: "operator", details: {} }])
})
