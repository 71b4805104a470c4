/**
 * A thousand endpoints that accept connections and never answer, each with due events, beside one healthy endpoint. The
 * events of the healthy one arrive as if the others did not exist, and the others cost a bounded number of connections
 * and bytes.
 */
import { Duration } from "effect"
import { randomUUID } from "node:crypto"
import { readdir, readFile, readlink } from "node:fs/promises"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { secretPlace } from "../../src/actors/webhook/rules/Endpoint.ts"
import { webhookLimits } from "../../src/schema/webhook/limits.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import { makeCompany, start, startBody } from "../support/companies.ts"
import { deliveryInconsistencies } from "../support/deliveryConsistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { endpointSecret, masterKey, writeEndpoint } from "../support/endpoints.ts"
import { eventually } from "../support/eventually.ts"
import { eventOf, startReceiver, type Receiver } from "../support/receivers.ts"
import { freshDatabase } from "../support/service.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"
import { freePort } from "../support/freePort.ts"
import { EndpointId } from "../../src/schema/ids.ts"

const deadEndpoints = 1000
const eventsEach = 5
const loadMillis = 25_000
const betweenStartsMillis = 125

let databaseUrl: string
let service: ServiceProcess
let healthy: Receiver
let silent: Server
const open = new Set<Socket>()

const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
  queryDirectly<Row>(databaseUrl, text, values)

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  service = await startProcess(databaseUrl, await freePort(), { WEBHOOK_ALLOW_INSECURE: "true" })
  healthy = await startReceiver()
  silent = createServer((socket) => {
    open.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => open.delete(socket))
    socket.resume()
  })
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", 4096, done))
})
afterAll(async () => {
  await service.end("SIGKILL")
  for (const socket of open) socket.destroy()
  silent.close()
  await healthy.stop()
})

/** Companies with endpoints at the silent receiver, and due events for them. */
const writeDeadEndpoints = async () => {
  const vault = AesVault.make(masterKey)
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const rows = Array.from({ length: deadEndpoints }, () => {
    const id = randomUUID()
    const secret = Buffer.from(vault.sealSecret(secretPlace(EndpointId.make(id)), endpointSecret)).toString("base64")
    return { id, company: randomUUID(), secret }
  })
  await query(
    `with given as (
       select * from json_to_recordset($1::text::json) as t (id uuid, company uuid, secret text)
     ), c as (
       insert into companies (id, name, kind, admin_email, sandbox, created_at)
       select company, 'Silent Cars', 'DEALER', 'owner@example.com', '{}', now() from given
     ), w as (
       insert into webhook_endpoints (id, company_id, livemode, url, events, enabled, sealed_secret, created_at)
       select id, company, false, $2, '{*}', true, decode(secret, 'base64'), now() from given
     ), made as (
       select g.id as endpoint_id, g.company, gen_random_uuid() as event_id, gen_random_uuid() as journey_id
       from given g, generate_series(1, $3::int)
     ), e as (
       insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select journey_id, 1, event_id, company, false, 'journey.created', '{}', now() from made
     )
     insert into deliveries (endpoint_id, event_id, status, due_at)
     select endpoint_id, event_id, 'PENDING', now() from made`,
    [JSON.stringify(rows), url, eventsEach]
  )
}

const residentMegabytes = async () => {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
const socketsOf = async () => {
  const folder = `/proc/${service.pid}/fd`
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => "")))
  return links.filter((link) => link.startsWith("socket:")).length
}
const quantile = (sorted: ReadonlyArray<number>, part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

it("a thousand endpoints that never answer delay no event of a healthy one", async () => {
  const company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  await writeEndpoint(query, { companyId: company.id, url: healthy.url })
  await start(service, company.testKey, startBody("CASH_SALE"), "warm-up-1")
  await healthy.arrived(1)
  const before = await residentMegabytes()
  await writeDeadEndpoints()
  await eventually(
    () => open.size,
    (count) => count >= deadEndpoints,
    30_000
  )

  const warmUp = healthy.received.length
  const began = performance.now()
  let [mostSockets, mostMegabytes] = [0, 0]
  const starting: Array<Promise<unknown>> = []
  for (let at = 0; performance.now() - began < loadMillis; at++) {
    starting.push(start(service, company.testKey, startBody("CASH_SALE"), `healthy-key-${at}`))
    await new Promise((resolve) => setTimeout(resolve, betweenStartsMillis))
    if (at % 8 === 0) {
      mostSockets = Math.max(mostSockets, await socketsOf())
      mostMegabytes = Math.max(mostMegabytes, await residentMegabytes())
    }
  }
  await Promise.all(starting)
  const [events] = await query<{ readonly n: number }>("select count(*)::int as n from events where company_id = $1", [
    company.id
  ])
  const arrived = await healthy.arrived(events?.n ?? Number.NaN)
  const delays = arrived
    .slice(warmUp)
    .map((one) => one.at - Date.parse(eventOf(one).createdAt))
    .toSorted((one, other) => one - other)

  console.log(
    `${delays.length} events beside ${deadEndpoints} dead endpoints: p50 ${quantile(delays, 0.5)} ms, ` +
      `p99 ${quantile(delays, 0.99)} ms, worst ${delays.at(-1)} ms; ` +
      `${mostSockets} sockets, ${before.toFixed(0)} -> ${mostMegabytes.toFixed(0)} MB`
  )
  // None of them waited for an exchange that never ends. `npm run bench:webhooks` measures how long they took.
  expect(delays.at(-1)).toBeLessThan(Duration.toMillis(webhookLimits.exchangeTimeout))
  expect(mostSockets).toBeLessThan(deadEndpoints * webhookLimits.firstInFlight + 200)
  const [tried] = await query<{ readonly endpoints: number }>(
    `select count(distinct d.endpoint_id)::int as endpoints from attempts a join deliveries d using (event_id)
     where a.error = 'TIMEOUT'`
  )
  expect(tried?.endpoints).toBe(deadEndpoints)
  const [failing] = await query<{ readonly n: number }>(
    "select count(*)::int as n from webhook_endpoints where failing_since is not null"
  )
  expect(failing?.n).toBe(deadEndpoints)
  expect(await deliveryInconsistencies(query)).toEqual([])
  const stopping = performance.now()
  await service.end("SIGTERM")
  expect(performance.now() - stopping).toBeLessThan(15_000)
}, 180_000)
