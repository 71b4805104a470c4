/**
 * PostgreSQL goes away while events are being delivered. What was sent is recorded when PostgreSQL is back, and is not
 * sent again; nothing is lost, and no receiver is flooded meanwhile. The receiver does the counting.
 */
import type { ServerResponse } from "node:http"
import { afterEach, beforeEach, expect, test } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { writeEndpoint } from "../support/endpoints.ts"
import { eventually } from "../support/eventually.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { eventOf, startReceiver, type Receiver } from "../support/receivers.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"

const backlog = 600

let databaseUrl: string
let proxy: Proxy
let service: Service
let company: TestCompany
let receiver: Receiver
let open: Array<ServerResponse>

const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
  queryDirectly<Row>(databaseUrl, text, values)

beforeEach(async () => {
  databaseUrl = await freshDatabase()
  proxy = await startProxy(databaseUrl)
  service = await startService({
    DATABASE_URL: proxy.url,
    WEBHOOK_ALLOW_INSECURE: "true",
    RATE_LIMIT_PER_MINUTE: "1000000"
  })
  company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  open = []
  receiver = await startReceiver((_, response) => void open.push(response))
})
afterEach(async () => {
  proxy.heal()
  open.forEach((response) => response.destroy())
  await service.stop()
  await receiver.stop()
  await proxy.close()
})

const endpoint = (events: ReadonlyArray<string> = ["journey.created"]) =>
  writeEndpoint(query, { companyId: company.id, url: receiver.url, events })
const begin = () => start(service, company.testKey, startBody("CASH_SALE"))
const answerAll = () => {
  receiver.answer(200)
  for (const response of open.splice(0)) response.writeHead(200).end()
}
const receivedIds = () => receiver.received.map((one) => eventOf(one).id)
const deliveries = () =>
  query<{ readonly event_id: string; readonly status: string; readonly attempts: number }>(
    "select event_id, status, attempts from deliveries"
  )
const allDelivered = (count: number) =>
  eventually(deliveries, (rows) => rows.length === count && rows.every(({ status }) => status === "DELIVERED"), 30_000)
/** Each event arrived once and has one line in the log. */
const eachOnce = async (count: number) => {
  const rows = await allDelivered(count)
  expect(receivedIds().toSorted()).toEqual(rows.map((row) => row.event_id).toSorted())
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true)
  expect(await inconsistencies(query)).toEqual([])
}
/** Lets time pass in which something must not happen: several looks of the poller, and several tries of a record. */
const looksPass = async (millis: number) => {
  const end = performance.now() + millis
  await eventually(
    () => performance.now(),
    (now) => now > end,
    millis * 2
  )
}

test("a delivery that is answered while PostgreSQL is away is recorded when it is back, and not sent again", async () => {
  await endpoint()
  await begin()
  await begin()
  await eventually(
    () => open.length,
    (count) => count === 2
  )
  proxy.refuse()
  answerAll()
  await looksPass(2500)
  expect(receiver.received.length).toBe(2)
  proxy.heal()
  await eachOnce(2)
})

test("a backlog arrives whole and each event once although PostgreSQL goes away in the middle, and no receiver is flooded", async () => {
  await Promise.all(Array.from({ length: backlog }, begin))
  const endpointId = await endpoint()
  await query(
    `insert into deliveries (endpoint_id, event_id, status, due_at)
     select $1, id, 'PENDING', created_at from events where type = 'journey.created'`,
    [endpointId]
  )
  answerAll()
  await receiver.arrived(backlog / 6)
  proxy.refuse()
  await looksPass(1500)
  const sent = receiver.received.length
  await looksPass(2500)
  // What was in memory may still go out at first. After that nothing does.
  expect(receiver.received.length).toBe(sent)
  expect(new Set(receivedIds()).size).toBe(sent)
  proxy.heal()
  await eachOnce(backlog)
})

test("a record is written once although the answer to its statement is lost", async () => {
  await endpoint()
  await begin()
  await eventually(
    () => open.length,
    (count) => count === 1
  )
  proxy.swallowReplyTo("insert into attempts")
  answerAll()
  await allDelivered(1)
  await eventually(proxy.swallowed, (count) => count === 1)
  await begin()
  await eachOnce(2)
})

test("a delivery that was sent while the network was silent is recorded afterwards, once", async () => {
  await endpoint()
  await begin()
  await begin()
  await eventually(
    () => open.length,
    (count) => count === 2
  )
  proxy.freeze()
  answerAll()
  await looksPass(7000)
  expect(receiver.received.length).toBe(2)
  proxy.heal()
  await eachOnce(2)
  await eventually(begin, ({ status }) => status === 202, 20_000)
  await allDelivered(3)
})
