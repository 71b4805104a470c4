/**
 * The database did the work, and the connection broke before the database could say so (FAULT-7). Nobody is told
 * "nothing was created" unless that is certain, and nothing happens twice.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startFakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel } from "../support/fakePanel.ts"
import { makeProvidedCompany, requestIdOf, settled, startLive } from "../support/providerRequests.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { CustomerBrowser, newLink } from "../http/app/CustomerBrowser.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"

let proxy: Proxy
let service: Service
let databaseUrl: string
let company: TestCompany

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  proxy = await startProxy(databaseUrl)
  service = await startService({
    DATABASE_URL: proxy.url,
    SANDBOX_STEP: "1 hour",
    SANDBOX_CALLER_STEP: "1 hour",
    BASE_URL: "https://journeys.example",
    // The panel of this file is on this machine.
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  company = await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 100 })
})
afterAll(async () => {
  await service.stop()
  await proxy.close()
})

const journeysOf = (idempotencyKey: string) =>
  queryDirectly<{ readonly id: string }>(databaseUrl, "select id from journeys where idempotency_key = $1", [
    idempotencyKey
  ])

const isBack = () =>
  eventually(
    () => ask(service, company.testKey, "/api/v1/journeys?size=1"),
    ({ status }) => status === 200
  )

/** The outcome of a request: its status, or that the connection was dropped without an answer. */
const statusOrDropped = (request: Promise<{ readonly status: number }>) =>
  request.then(
    ({ status }) => status,
    () => "dropped" as const
  )

const newBody = (customer: string) => ({
  ...startBody("IDENTITY_DELIVERY"),
  customer: { firstName: "Ann", lastName: "Example", email: `${customer}@example.com` }
})

describe("when the reply to a start is lost", () => {
  it.each(["testKey", "liveKey"] as const)(
    "the service answers 202 with the journey that exists (%s)",
    async (mode) => {
      const key = `lost-reply-${mode}`
      const before = proxy.swallowed()
      proxy.swallowReplyTo(key)
      const answer = await start(service, company[mode], newBody(key), key)
      expect(proxy.swallowed()).toBe(before + 1)
      expect(answer.status).toBe(202)
      expect(answer.headers.get("idempotent-replayed")).toBeNull()
      expect(await journeysOf(key)).toEqual([{ id: answer.data.id }])
    }
  )

  it("a start that took the last credit is answered 202, and is not refused for the credit that it took itself", async () => {
    const poor = await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 1 })
    const key = "lost-reply-last-credit"
    proxy.swallowReplyTo(key)
    const answer = await start(service, poor.liveKey, newBody("last-credit"), key)
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([202, null])
    expect(await journeysOf(key)).toEqual([{ id: answer.data.id }])
    expect((await start(service, poor.liveKey, newBody("last-credit"), "after-last-credit")).errors?.[0]?.code).toBe(
      "INSUFFICIENT_CREDITS"
    )
  })

  it("the other starts of the same statement are answered 202 too, each with its own journey", async () => {
    const keys = Array.from({ length: 20 }, (_, at) => `lost-reply-many-${at}`)
    proxy.swallowReplyTo("lost-reply-many-7")
    const answers = await Promise.all(keys.map((key) => start(service, company.testKey, newBody(key), key)))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 202))
    for (const [at, key] of keys.entries()) expect(await journeysOf(key)).toEqual([{ id: answers[at]?.data.id }])
  })

  it("and the database stays away, the service claims nothing, and the same key later finds the one journey", async () => {
    const key = "lost-reply-away"
    expect((await start(service, company.testKey, newBody("warm"), "warm-up-away")).status).toBe(202)
    proxy.swallowReplyTo(key, { andStayAway: true })
    expect(await statusOrDropped(start(service, company.testKey, newBody(key), key))).toBe("dropped")
    proxy.heal()
    await isBack()
    const again = await start(service, company.testKey, newBody(key), key)
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"])
    expect(await journeysOf(key)).toEqual([{ id: again.data.id }])
  })

  it("and the journey under its key cannot be read either, the service claims nothing: a 503 would say that there is none", async () => {
    const key = "lost-reply-and-look"
    const before = proxy.swallowed()
    // The look sends the key as its last parameter; what follows asks for the answer in binary.
    proxy.swallowReplyTo(key, { andNextTo: [`${key}\0\u0001`] })
    expect(await statusOrDropped(start(service, company.testKey, newBody(key), key))).toBe("dropped")
    expect(proxy.swallowed()).toBe(before + 2)
    const again = await start(service, company.testKey, newBody(key), key)
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"])
  })
})

const running = async (key: string) => {
  const answer = await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"), key)
  expect(answer.status).toBe(202)
  return answer.data.id as string
}
const decide = (id: string, idempotencyKey: string) =>
  ask(service, company.testKey, `/api/v1/journeys/${id}/finance-decision`, {
    body: { decision: "APPROVED" },
    headers: { "idempotency-key": idempotencyKey }
  })
const decisionsOf = async (id: string) => {
  const [row] = await queryDirectly<{ readonly lines: number; readonly events: number }>(
    databaseUrl,
    `select (select count(*)::int from journal where journey_id = $1 and message->>'_tag' = 'FinanceDecision') as lines,
      (select count(*)::int from events where journey_id = $1 and type = 'finance_enquiry.approved') as events`,
    [id]
  )
  return row
}

describe("when the reply to an operation is lost", () => {
  it("the service answers 200 and applies the operation once", async () => {
    const id = await running("operation-lost")
    const before = proxy.swallowed()
    proxy.swallowReplyTo('"FinanceDecision"')
    const answer = await decide(id, "decision-lost")
    expect(proxy.swallowed()).toBe(before + 1)
    expect([answer.status, answer.data.finance.status]).toEqual([200, "APPROVED"])
    expect(await decisionsOf(id)).toEqual({ lines: 1, events: 1 })
  })

  it("the service does so without an Idempotency-Key too", async () => {
    const id = await running("operation-lost-keyless")
    proxy.swallowReplyTo('"Cancel"')
    const answer = await ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, {
      body: { reason: "The customer changed their mind" }
    })
    expect([answer.status, answer.data.status]).toEqual([200, "CANCELLED"])
  })

  it("and the database stays away, the service claims nothing, and a repeated operation changes nothing more", async () => {
    const id = await running("operation-away")
    proxy.swallowReplyTo('"FinanceDecision"', { andStayAway: true })
    expect(await statusOrDropped(decide(id, "decision-away"))).toBe("dropped")
    proxy.heal()
    await isBack()
    const again = await decide(id, "decision-away")
    expect([again.status, again.data.finance.status]).toEqual([200, "APPROVED"])
    expect(await decisionsOf(id)).toEqual({ lines: 1, events: 1 })
  })
})

it("a customer whose link was taken without an answer is signed in: the link would not open once more", async () => {
  const { data } = await start(service, company.liveKey, newBody("signs-in"), "signs-in")
  const link = await newLink(service, data.id, "VERIFY_IDENTITY")
  const before = proxy.swallowed()
  proxy.swallowReplyTo("insert into customer_sessions")
  const browser = new CustomerBrowser(service)
  expect((await browser.signIn(link)).status).toBe(303)
  expect(proxy.swallowed()).toBe(before + 1)
  expect((await browser.ask("/app/journey")).status).toBe(200)
})

const creditOf = (note: string) =>
  askSettings(service, `/companies/${company.id}/wallets/APPLICATION/credits`, {
    body: { amount: 5, note },
    headers: { "idempotency-key": note }
  })
const linesOf = (note: string) =>
  queryDirectly(databaseUrl, "select amount::int from wallet_ledger where note = $1", [note])

describe("when the reply to a change of settings is lost", () => {
  // The first of these: the look for what was added has a text only where no connection has sent it before.
  it("and the answer of the look for it is lost, too, the caller gets none: a 503 would say that nothing was changed", async () => {
    const note = "lost-reply-and-look-credit"
    const before = proxy.swallowed()
    proxy.swallowReplyTo(note, { andNextTo: ["from wallet_ledger l join wallets"] })
    expect(await statusOrDropped(creditOf(note))).toBe("dropped")
    expect(proxy.swallowed()).toBe(before + 2)
    expect((await creditOf(note)).status).toBe(201)
    expect(await linesOf(note)).toEqual([{ amount: 5 }])
  })

  it("credits are added once, and the answer has the wallet with them", async () => {
    const note = "lost-reply-credit"
    const { data: before } = await creditOf("before-lost-reply")
    proxy.swallowReplyTo(note)
    const { data, status } = await creditOf(note)
    expect([status, data.balance]).toEqual([201, before.balance + 5])
    expect(await linesOf(note)).toEqual([{ amount: 5 }])
  })

  it("and the database stays away, the caller gets no answer: a 503 would say that nothing was changed", async () => {
    const note = "lost-reply-credit-away"
    proxy.swallowReplyTo(note, { andStayAway: true })
    expect(await statusOrDropped(creditOf(note))).toBe("dropped")
    proxy.heal()
    await isBack()
    const { headers, status } = await creditOf(note)
    expect([status, headers.get("idempotent-replayed")]).toEqual([201, "true"])
    expect(await linesOf(note)).toEqual([{ amount: 5 }])
  })
})

describe("when the reply to a line of the audit log is lost", () => {
  it("of a decision of the team, the team hears what the decision did: the line was written with it, once", async () => {
    const id = await running("decision-line-lost")
    const before = proxy.swallowed()
    proxy.swallowReplyTo("journey.simulated")
    const body = { event: "finance_enquiry.declined" }
    const { data, status } = await askSettings(service, `/companies/${company.id}/journeys/${id}/simulate`, { body })
    expect(proxy.swallowed()).toBe(before + 1)
    expect([status, data.status]).toEqual([200, "CANCELLED"])
    const lines = "select action from audit where details ->> 'journeyId' = $1"
    expect(await queryDirectly(databaseUrl, lines, [id])).toEqual([{ action: "journey.simulated" }])
  })

  it("of a look at what a customer gave, nobody gets to see it: the look may not have been written down", async () => {
    const id = await running("look-line-lost")
    const before = proxy.swallowed()
    proxy.swallowReplyTo("case.opened")
    expect(await statusOrDropped(askSettings(service, `/companies/${company.id}/journeys/${id}/case`))).toBe("dropped")
    expect(proxy.swallowed()).toBe(before + 1)
    await isBack()
  })
})

describe("when the reply to a provider's callback is lost", () => {
  it("the provider gets no answer, and calling again counts once", async () => {
    const panel = await startFakePanel()
    const identity = await startFakeIdentityProvider()
    const provided = await makeProvidedCompany(service, panel, identity)
    const journeyId = await startLive(service, provided, "FINANCE_SUBMIT_VIA_MIRA")
    const submissionId = await requestIdOf(service, journeyId, "FINANCE")
    await settled(service, journeyId)
    const decided = () => panel.decide(service, submissionId, "APPROVED", "decided-once")
    const before = proxy.swallowed()
    proxy.swallowReplyTo("insert into provider_callbacks")
    expect(await statusOrDropped(decided())).toBe("dropped")
    expect(proxy.swallowed()).toBe(before + 1)
    await isBack()
    expect((await decided()).status).toBe(200)
    expect((await decided()).status).toBe(200)
    const [counted] = await queryDirectly<{ readonly lines: number }>(
      databaseUrl,
      "select count(*)::int as lines from journal where journey_id = $1 and message->>'_tag' = 'PanelDecision'",
      [journeyId]
    )
    expect(counted).toEqual({ lines: 1 })
    await panel.stop()
    await identity.stop()
  })
})
