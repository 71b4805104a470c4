/** What the log says of who was let in and who was not: ids and codes, and never a secret, an address or what was sent. */
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { ask, askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { ConsoleBrowser, signInMember } from "../console/consoleGround.ts"

// Silent: a flood is among what is logged.
const logged = vi.spyOn(console, "log").mockImplementation(() => {})
let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ BASE_URL: "http://localhost" })
  company = await makeCompany(service)
})
afterAll(async () => {
  await service.stop()
  logged.mockRestore()
})

/** The lines that hold these words. */
const lines = (words: string): ReadonlyArray<string> =>
  logged.mock.calls
    .map((parts) => parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" "))
    .filter((line) => line.includes(words))

it("has a line for a link that signs in, with the member's id, and for one that was spent", async () => {
  const email = "clerk@harbour.example"
  const memberId = await addMember(service, company.id, { email, role: "TEAM" })
  const browser = new ConsoleBrowser(service, null)
  await browser.submit("/console/sign-in", { email })
  const mails = await eventually(
    () => askSettings(service, `/mail?to=${email}`),
    ({ data }) => data.content.length === 1
  )
  const [, link = ""] = /http:\/\/localhost(\/console\/sign-in\/\S+)/.exec(mails.data.content[0].text) ?? []
  const page = await browser.ask(link)
  expect((await browser.submit(link, {})).status).toBe(303)
  const [line = ""] = lines("A member's link to sign in was taken")
  expect(line).toContain(memberId)
  expect(line).not.toContain(email)
  expect(page.status).toBe(200)
})

it("has a line for a wrong API key, without the key", async () => {
  const wrong = `svc_test_${"w".repeat(40)}`
  expect((await ask(service, wrong, "/api/v1/journeys")).status).toBe(401)
  const [line = ""] = lines("A caller was refused")
  expect(line).toContain("INVALID_API_KEY")
  expect(lines(wrong)).toEqual([])
})

it("has one line a minute for an API key that asks too often, with its id", async () => {
  const often = await startService({ RATE_LIMIT_PER_MINUTE: "3", DATABASE_URL: service.databaseUrl })
  try {
    const answers = []
    for (let number = 0; number < 6; number += 1) answers.push(await ask(often, company.testKey, "/api/v1/journeys"))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429])
    const said = lines("An API key has used up its requests of the minute")
    expect(said).toEqual([expect.stringContaining(company.testKeyId)])
  } finally {
    await often.stop()
  }
})

it("has a line for what a member may not do, with who and what", async () => {
  const member = await signInMember(service, company.id, "TEAM")
  expect((await member.ask("/settings/v1/companies")).status).toBe(403)
  const [line = ""] = lines("An operation was not permitted")
  expect(line).toMatch(/member:[0-9a-f-]{36}/)
  expect(line).toContain("GET /settings/v1/companies")
  expect(line).toContain("ROLE_NOT_PERMITTED")
})

it("has a line for a form of another site and for one without its page's token, without what stood in them, and none for a flood", async () => {
  const said = () => lines("A form was refused because no page of ours sent it")
  const owner = await signInMember(service, company.id, "OWNER")
  const foreign = { origin: "https://other.example", "sec-fetch-site": "cross-site" }
  expect((await owner.send("/console/team", { email: "friend@other.example" }, foreign)).status).toBe(403)
  const headers = { origin: service.baseUrl, "sec-fetch-site": "same-origin", "content-type": "application/json" }
  const change = { method: "PATCH", headers, body: JSON.stringify({ name: "friend@other.example" }) }
  expect((await owner.ask(`/settings/v1/companies/${company.id}`, change)).status).toBe(403)
  expect(said().map((line) => /OTHER_SITE|NO_TOKEN/.exec(line)?.[0])).toEqual(["OTHER_SITE", "NO_TOKEN"])
  expect(lines("other.example")).toEqual([])

  const stranger = new ConsoleBrowser(service, null)
  const flood = Array.from({ length: httpLimits.refusalsPerAddress }, () =>
    stranger.send("/console/sign-in", {}, foreign)
  )
  const answers = await Promise.all(flood)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]))
  expect(said()).toHaveLength(httpLimits.refusalsPerAddress)
})
