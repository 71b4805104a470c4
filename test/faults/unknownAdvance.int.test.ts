/**
 * The connection breaks after a step of an advance of a test clock was committed, and before the database could say so (FAULT-7). The
 * advance looks up what became of it: each step happens once, and nobody hears that nothing has happened.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, makeCompany, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { startReceiver, type Receiver } from "../support/receivers.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"

const clocks = "/api/v1/sandbox/clocks"

let databaseUrl: string
let proxy: Proxy
let receiver: Receiver
let service: Service
let company: TestCompany
beforeAll(async () => {
  databaseUrl = await freshDatabase()
  proxy = await startProxy(databaseUrl)
  receiver = await startReceiver()
  receiver.answer(500)
  service = await startService({ DATABASE_URL: proxy.url, WEBHOOK_ALLOW_INSECURE: "true" })
  company = await makeCompany(service)
  const body = { url: receiver.url }
  await askSettings(service, `/companies/${company.id}/webhook-endpoints/test`, { method: "PUT", body })
})
afterAll(async () => {
  await service?.stop()
  await receiver?.stop()
  await proxy?.close()
})

interface Clock {
  readonly id: string
  readonly now: string
}

/** A clock with a journey whose customer never comes, and two webhooks that failed and wait for the clock. */
const clockWithJourney = async (key: string): Promise<Clock> => {
  const { data } = await ask(service, company.testKey, clocks, { method: "POST" })
  const body = startBody("IDENTITY_DELIVERY")
  const customer = { ...body.customer, email: "ann+never@example.com" }
  const headers = { "idempotency-key": key, "sandbox-clock": data.id }
  const started = await ask(service, company.testKey, "/api/v1/journeys", { headers, body: { ...body, customer } })
  expect(started.status).toBe(202)
  // The first attempts have ended when the answer comes.
  const { data: begun } = await advance(data, data.now)
  return begun.clock
}

const advance = ({ id }: Clock, to: string) =>
  ask(service, company.testKey, `${clocks}/${id}/advance`, { body: { to } })
/** The same advance however often it is sent, and wherever the clock stands. */
const advanceTwoMinutes = ({ id }: Clock) =>
  ask(service, company.testKey, `${clocks}/${id}/advance`, {
    headers: { "idempotency-key": `two-minutes-${id}` },
    body: { by: "PT2M" }
  })
const minutesAfter = ({ now }: Clock, minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString()

/** Statements are sent with their text by connections that have not run them. */
const withNewConnections = async () => {
  proxy.refuse()
  proxy.heal()
  await eventually(
    () => ask(service, company.testKey, "/api/v1/journeys?size=1"),
    ({ status }) => status === 200
  )
}

it("an advance of which every commit loses its answer does each step once, and lets go of the clock", async () => {
  const clock = await clockWithJourney("advance-lost")
  await withNewConnections()
  const before = proxy.swallowed()
  proxy.swallowReplyTo("set held_by = $2", {
    andNextTo: ["set at = greatest", "update deliveries set due_at = $3", "set held_by = null"]
  })
  const to = minutesAfter(clock, 2)
  const { data, status } = await advanceTwoMinutes(clock)
  expect(proxy.swallowed()).toBe(before + 4)
  expect(status).toBe(200)
  expect(data).toMatchObject({ complete: true, clock: { now: to, status: "READY", target: null } })
  expect(data.steps.map(({ attempts, kind }: { kind: string; attempts: number }) => [kind, attempts])).toEqual([
    ["DELIVERY", 2],
    ["DELIVERY", 2]
  ])
})

it("an advance after whose beginning the database stays away gets no answer, and the same advance later does the rest", async () => {
  const clock = await clockWithJourney("advance-away")
  await withNewConnections()
  proxy.swallowReplyTo("set at = greatest", { andStayAway: true })
  const to = minutesAfter(clock, 2)
  const answer = await advanceTwoMinutes(clock).then(
    ({ status }) => status,
    () => "dropped"
  )
  expect(answer).toBe("dropped")
  proxy.heal()
  // The advance could not let go of the clock: its hold runs out.
  await queryDirectly(databaseUrl, "update sandbox_clocks set held_until = now()", [])
  const later = await eventually(
    () => advanceTwoMinutes(clock),
    ({ status }) => status === 200
  )
  expect(later.headers.get("idempotent-replayed")).toBe("true")
  expect(later.data).toMatchObject({ complete: true, clock: { now: to } })
  expect((await advanceTwoMinutes(clock)).data).toMatchObject({ complete: true, clock: { now: to }, steps: [] })
})
