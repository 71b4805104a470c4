/**
 * A mail server that takes connections and answers nothing for the recipients of some companies (FAULT-45): such a company holds
 * its share of the places and no more. `silentMailServer.int.test.ts` is about a server that answers nobody.
 */
import { afterEach, beforeEach, expect, it } from "vitest"
import { mailLimits } from "../../src/actors/mail/limits.ts"
import { makeCompany, start, startBody } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startMailServer, type MailServer } from "../support/mailServer.ts"
import { addMember } from "../support/members.ts"
import { owe } from "../support/owedMail.ts"
import { startService, type Service } from "../support/service.ts"

const withinMillis = 5000

let server: MailServer
let service: Service
beforeEach(async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      if (!address.startsWith("hangs")) done()
    }
  })
  service = await startService({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: "Journeys <journeys@example.com>",
    BASE_URL: "https://journeys.example"
  })
})
afterEach(async () => {
  await service.stop()
  await server.stop()
})

const named = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`)

/** A company that owes so many mails to one address. */
const owing = async (name: string, count: number) => {
  const company = await makeCompany(service, { adminEmail: `${name}@example.com` })
  await owe(service.databaseUrl, { companyId: company.id, causes: named(name, count) })
  return company
}

const inHand = async (name: string) => {
  const rows = await queryDirectly(
    service.databaseUrl,
    "select from mails where tries > 0 and due_at is not null and cause like $1::text || '-%'",
    [name]
  )
  return rows.length
}

const arrived = (name: string) => server.received.filter(({ to }) => to.includes(`${name}@example.com`)).length

const oweSignIn = async (companyId: string, name: string) => {
  const memberId = await addMember(service, companyId, { email: `${name}@example.com`, role: "TEAM" })
  const facts = { memberId, askedAt: new Date().toISOString() }
  await owe(service.databaseUrl, { companyId, causes: [`sign-in|${name}`], mail: { kind: "SIGN_IN", facts } })
}

it("that answers nothing for one company's mail holds up no other company, and no mail to sign in", async () => {
  const hanging = await owing("hangs", 40)
  await eventually(
    () => inHand("hangs"),
    (count) => count >= mailLimits.mostOfOneCompany
  )
  const began = performance.now()
  const other = await owing("quick", 20)
  await oweSignIn(other.id, "ann")
  await oweSignIn(hanging.id, "bert")
  await eventually(
    () => [arrived("quick"), arrived("ann"), arrived("bert")].join(),
    (mails) => mails === "20,1,1"
  )
  expect(performance.now() - began).toBeLessThan(withinMillis)
  expect(await inHand("hangs")).toBe(mailLimits.mostOfOneCompany)
}, 40_000)

it("that answers nothing for as many companies as there are places does not keep a mail to sign in", async () => {
  const { keptForAsked, mostInHand, mostOfOneCompany } = mailLimits
  const names = named("hangs", (mostInHand - keptForAsked) / mostOfOneCompany)
  for (const name of names) await owing(name, 20)
  await eventually(
    () => inHand("hangs"),
    (count) => count === mostInHand - keptForAsked
  )
  const began = performance.now()
  const other = await owing("quick", 1)
  await oweSignIn(other.id, "ann")
  await eventually(
    () => arrived("ann"),
    (mails) => mails === 1
  )
  expect(performance.now() - began).toBeLessThan(withinMillis)
  expect(arrived("quick")).toBe(0)
}, 40_000)

it("that answers nothing for the administrator, to whom test mail goes, does not keep the company's live mail", async () => {
  const company = await makeCompany(service, {
    adminEmail: "hangs@example.com",
    credits: 10,
    settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
  })
  const begin = async (key: string, name: string) => {
    const body = startBody("CASH_SALE")
    const started = await start(service, key, { ...body, customer: { ...body.customer, email: `${name}@example.com` } })
    expect(started.status).toBe(202)
  }
  for (const name of named("test", 4)) await begin(company.testKey, name)
  const testMails = () =>
    service.query<{ readonly inHand: number; readonly waiting: number }>(
      `select count(*) filter (where tries > 0)::int4 as "inHand", count(*) filter (where tries = 0)::int4 as waiting
       from mails m join journeys j on j.id = m.journey_id where not j.livemode and m.due_at is not null`
    )
  await eventually(testMails, ([mails]) => mails?.inHand === mailLimits.mostTestMailsOfOneCompany)
  const began = performance.now()
  const buyers = named("buyer", 6)
  for (const name of buyers) await begin(company.liveKey, name)
  await eventually(
    () => buyers.every((name) => arrived(name) === 2),
    (areThere) => areThere
  )
  expect(performance.now() - began).toBeLessThan(withinMillis)
  const [left] = await testMails()
  expect(left?.inHand).toBe(mailLimits.mostTestMailsOfOneCompany)
  expect(left?.waiting).toBeGreaterThan(0)
}, 40_000)
