/**
 * kill -9 while events are being delivered: between an answer and its record, before an answer, and at random instants
 * under load. What was sent and not recorded is sent again, no event is lost, and no uncommitted event arrives. A
 * service that is asked to stop does so in time, with the attempts under way recorded or still due.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { writeEndpoint } from "../support/endpoints.ts"
import { eventually } from "../support/eventually.ts"
import { startMain, temporaryFolder } from "../support/processes.ts"
import { eventOf, startReceiver, type Receiver } from "../support/receivers.ts"
import { freshDatabase, operatorToken } from "../support/service.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"
import { freePort } from "../support/freePort.ts"

/** A round takes seconds, most of them for a start of the service; `npm run chaos` goes on for as long as one wants. */
const answeredRounds = 4
const loadRounds = 6
const clients = 6
const loadMillis = 600

let databaseUrl: string
let port: number
let service: ServiceProcess
let company: TestCompany
let receiver: Receiver

const environment = { WEBHOOK_ALLOW_INSECURE: "true", SANDBOX_STEP: "20 millis", SANDBOX_CALLER_STEP: "20 millis" }
const launch = async () => {
  service = await startProcess(databaseUrl, port, environment)
}
const query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) =>
  queryDirectly<Row>(databaseUrl, text, values)

beforeEach(async () => {
  databaseUrl = await freshDatabase()
  port = await freePort()
  receiver = await startReceiver()
  await launch()
})
const withCompany = async (settings?: Readonly<Record<string, unknown>>) => {
  company = await makeCompany(service, settings === undefined ? {} : { settings })
  await writeEndpoint(query, { companyId: company.id, url: receiver.url })
}
const manual = { sandbox: { pace: "manual" } }
afterEach(async () => {
  await service.end("SIGKILL")
  await receiver.stop()
})

const statuses = async () => {
  const rows = await query<{ readonly status: string; readonly n: number }>(
    "select status, count(*)::int as n from deliveries group by status"
  )
  return Object.fromEntries(rows.map(({ n, status }) => [status, n]))
}
const allDelivered = (withinMillis = 60_000) =>
  eventually(statuses, (by) => Object.keys(by).join() === "DELIVERED", withinMillis)
const receivedIds = () => receiver.received.map((one) => eventOf(one).id)

describe("kill -9", () => {
  it.each([
    ["between the receiver's 200 and the record of it", true],
    ["before the receiver has answered", false]
  ])(
    "%s makes the service send the event again",
    async (_, isAnswered) => {
      await withCompany(manual)
      let again = 0
      for (let round = 0; round < answeredRounds; round++) {
        const before = receiver.received.length
        let killed: Promise<void> | undefined
        receiver.answer((_, response) => {
          if (isAnswered) response.writeHead(200).end(() => (killed ??= service.end("SIGKILL")))
          else killed ??= service.end("SIGKILL")
        })
        // The process may be gone before it has answered the start.
        await start(service, company.testKey, startBody("CASH_SALE"), `round-key-${round}`).catch(() => undefined)
        await eventually(
          () => killed !== undefined,
          (isKilled) => isKilled
        )
        await killed
        const first = receiver.received[before]
        if (first === undefined) throw new Error("nothing arrived")
        const { id } = eventOf(first)
        const [stored] = await query<{ readonly attempts: number }>(
          "select attempts from deliveries where event_id = $1",
          [id]
        )
        receiver.answer(200)
        await launch()
        await allDelivered()
        const times = receivedIds().filter((one) => one === id).length
        // Both outcomes are right: what is in the log is not sent again, and what is not in the log is.
        expect(times).toBe(stored?.attempts === 1 ? 1 : 2)
        again += times - 1
      }
      expect(again).toBeGreaterThanOrEqual(isAnswered ? 1 : answeredRounds)
      const events = await query<{ readonly id: string }>("select id from events")
      expect([...new Set(receivedIds())].toSorted()).toEqual(events.map(({ id }) => id).toSorted())
      expect(await inconsistencies(query)).toEqual([])
    },
    120_000
  )

  it("at random instants under load loses no event, delivers each one, and delivers none that was not committed", async () => {
    await withCompany()
    let keys = 0
    const load = async () => {
      for (;;) {
        try {
          const answer = await start(service, company.testKey, startBody("CASH_SALE"), `load-key-${(keys += 1)}`)
          expect(answer.status).toBe(202)
        } catch (error) {
          if (error instanceof TypeError) return
          throw error
        }
      }
    }
    for (let round = 0; round < loadRounds; round++) {
      const running = Array.from({ length: clients }, load)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * loadMillis))
      await service.end("SIGKILL")
      await Promise.all(running)
      await launch()
    }
    await eventually(
      () => query("select 1 from journeys where status <> 'COMPLETED' limit 1"),
      (rows) => rows.length === 0,
      60_000
    )
    await allDelivered()
    const events = await query<{ readonly id: string; readonly body: string }>("select id, body from events")
    expect(events.length).toBeGreaterThan(loadRounds)
    const bodies = new Map(events.map(({ body, id }) => [id, body]))
    expect([...new Set(receivedIds())].toSorted()).toEqual([...bodies.keys()].toSorted())
    expect(receiver.received.filter((one) => one.body.toString() !== bodies.get(eventOf(one).id))).toEqual([])
    expect(await inconsistencies(query)).toEqual([])
  }, 240_000)
})

const stateOf = (id: string | undefined) => query("select status, attempts from deliveries where event_id = $1", [id])

describe("SIGTERM", () => {
  const stopWithinMillis = 15_000

  it("ends the service within 15 seconds with exit code 0; answered attempts are recorded, and the others are sent again", async () => {
    await withCompany(manual)
    await service.end("SIGKILL")
    const folder = await temporaryFolder()
    const main = startMain(folder.path, {
      ...environment,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken
    })
    const [baseUrl] = await main.printed(/http:\/\/[\w.:]+/)
    const silent: Array<string> = []
    const slow: Array<string> = []
    receiver.answer((received, response) => {
      const { id } = eventOf(received)
      if (receiver.received.length % 2 === 0) silent.push(id)
      else {
        slow.push(id)
        setTimeout(() => response.writeHead(200).end(), 1500)
      }
    })
    await start({ baseUrl }, company.testKey, startBody("CASH_SALE"), "stop-key-1")
    await start({ baseUrl }, company.testKey, startBody("CASH_SALE"), "stop-key-2")
    await receiver.arrived(2)
    const began = performance.now()
    const { code, stderr } = await main.stop()
    const took = performance.now() - began
    expect([code, stderr]).toEqual([0, ""])
    expect(took).toBeLessThan(stopWithinMillis)
    expect(await stateOf(slow[0])).toEqual([{ status: "DELIVERED", attempts: 1 }])
    expect(await stateOf(silent[0])).toEqual([{ status: "PENDING", attempts: 0 }])
    receiver.answer(200)
    await launch()
    await allDelivered()
    expect(receivedIds().filter((id) => id === silent[0]).length).toBe(2)
    expect(receivedIds().filter((id) => id === slow[0]).length).toBe(1)
    await folder.remove()
  }, 60_000)
})
