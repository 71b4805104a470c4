/**
 * Links and sessions that nobody was given: how many look-ups a flood of them costs, that what the service has made opens, and that what
 * was handed out before there were marks opens until it ends.
 */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { hashSecret, newNonce } from "../../../src/actors/kernel/secrets.ts"
import { makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember, openSession } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink } from "./CustomerBrowser.ts"

let service: Service
let company: TestCompany
let journeyId: string
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
  journeyId = (await start(service, company.liveKey, startBody("CASH_SALE"))).data.id
  // The mail that the start owes looks at the customer's sessions: it has left before statements are counted.
  await eventually(
    () => service.query("select from mails where journey_id = $1 and sent_at is not null", [journeyId]),
    ({ length }) => length > 0
  )
})
afterAll(() => service.stop())

const tables = /(?:from|update|join) (?:sign_in_links|customer_sessions|console_links|console_sessions)\b/
const knows = /^select exists \(select from \w+ where not is_marked\)/

/** The statements about links and sessions meanwhile: whether there are old ones at all, and everything else. */
const statementsOf = async (ask: () => Promise<unknown>) => {
  const asked = vi.spyOn(service.sql, "unsafe")
  await ask()
  const texts = asked.mock.calls.map(([text]) => text).filter((text) => tables.test(text))
  asked.mockRestore()
  const general = texts.filter((text) => knows.test(text)).length
  return { general, single: texts.length - general }
}

const page = (path: string, given: RequestInit = {}) =>
  fetch(`${service.baseUrl}${path}`, { redirect: "manual", ...given })
const withCookie = (name: string, secret: string) => ({ headers: { cookie: `${name}=${secret}` } })

const bytes = (secret: string) => Buffer.from(hashSecret(secret)).toString("base64")

/** Well-formed, as anybody can make them. */
const forged = newNonce

const floods: ReadonlyArray<readonly [what: string, ask: () => Promise<Response>]> = [
  ["the link of a customer", () => page(`/app/l/${forged()}`)],
  ["the link of a member", () => page(`/console/sign-in/${forged()}`)],
  ["the session of a customer", () => page("/app/journey", withCookie("journeys", forged()))],
  ["the session of a member", () => page("/console/journeys", withCookie("journeys-console", forged()))],
  [
    "the session of a member, at the settings API",
    () => page(`/settings/v1/companies/${company.id}`, withCookie("journeys-console", forged()))
  ]
]

describe.each(floods)("%s that was forged", (_, ask) => {
  it("is refused without a look-up, however many there are", async () => {
    const { general, single } = await statementsOf(() => Promise.all(Array.from({ length: 50 }, ask)))
    expect(single).toBe(0)
    // Whether there are secrets of before is asked once a second, whatever comes.
    expect(general).toBeLessThan(10)
  })
})

it("what the service has made is looked up, and opens", async () => {
  const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
  const customer = new CustomerBrowser(service)
  const { single } = await statementsOf(async () => expect((await customer.ask(link)).status).toBe(200))
  expect(single).toBeGreaterThan(0)
  expect((await customer.signIn(link)).status).toBe(303)
  expect((await customer.ask("/app/journey")).text).toContain("Verify your identity")
  const member = await openSession(service, await addMember(service, company.id))
  expect((await page("/console/journeys", withCookie("journeys-console", member))).status).toBe(200)
})

it("a link and a session from before marks open, and what is forged costs a look-up only as long as there are such", async () => {
  const [link, session] = [forged(), forged()]
  await service.query(
    `insert into sign_in_links (token_hash, mail_id, journey_id, step, issued_at, expires_at)
     values (decode($1, 'base64'), $2, $3, 'VERIFY_IDENTITY', now() + interval '1 minute', now() + interval '1 hour')`,
    [bytes(link), randomUUID(), journeyId]
  )
  await service.query(
    `insert into console_sessions (id, secret_hash, member_id, opened_at, seen_at)
     values ($1, decode($2, 'base64'), $3, now(), now())`,
    [randomUUID(), bytes(session), await addMember(service, company.id, { email: "old@harbour.example" })]
  )
  const opens = async () => (await page("/console/journeys", withCookie("journeys-console", session))).status
  await vi.waitFor(async () => expect(await opens()).toBe(200), { timeout: 10_000 })
  const customer = new CustomerBrowser(service)
  await vi.waitFor(async () => expect((await customer.ask(`/app/l/${link}`)).text).toContain("<form"), {
    timeout: 10_000
  })
  expect((await customer.signIn(`/app/l/${link}`)).status).toBe(303)
  const ask = () => page("/console/journeys", withCookie("journeys-console", forged()))
  expect((await statementsOf(ask)).single).toBeGreaterThan(0)
  await service.query("delete from console_sessions where not is_marked")
  await vi.waitFor(async () => expect((await statementsOf(ask)).single).toBe(0), { timeout: 10_000 })
})
