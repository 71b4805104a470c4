/**
 * kill -9 while providers are being asked: after one has taken what it was sent and before anybody wrote that down, and
 * at any other moment. Whatever is asked again is asked under the same id, so that no panel ever has two applications of
 * one journey and no provider two checks of one ask (I20); and every journey goes on.
 */
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, it } from "vitest"
import { start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { freePort } from "../support/freePort.ts"
import { makeProvidedCompany } from "../support/providerRequests.ts"
import { freshDatabase } from "../support/service.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"

let databaseUrl: string
let port: number
let service: ServiceProcess
let panel: FakePanel
let identity: FakeIdentityProvider
let company: TestCompany

const launch = async () => {
  service = await startProcess(databaseUrl, port, { WEBHOOK_ALLOW_INSECURE: "true" })
}
beforeEach(async () => {
  databaseUrl = await freshDatabase()
  port = await freePort()
  panel = await startFakePanel()
  identity = await startFakeIdentityProvider()
  await launch()
  company = await makeProvidedCompany(service, panel, identity)
})
afterEach(async () => {
  await service.end("SIGKILL")
  await panel.stop()
  await identity.stop()
})

const begin = async (): Promise<string> => {
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  body.customer.email = `${randomUUID()}@example.com`
  return (await start(service, company.liveKey, body)).data.id
}
const beginSome = (count: number) => Promise.all(Array.from({ length: count }, begin))

interface StateRow {
  readonly id: string
  readonly identity: string
  readonly owed: ReadonlyArray<{ readonly kind: string }>
}
const states = () =>
  queryDirectly<StateRow>(
    databaseUrl,
    "select id, state -> 'identity' ->> 'status' as identity, state -> 'owed' as owed from journeys"
  )
const isDone = ({ identity: status, owed }: StateRow) =>
  status === "REQUESTED" && owed.every(({ kind }) => kind === "MAIL")

it("asks each provider again under the same id, and for nothing twice", { timeout: 240_000 }, async () => {
  // The panel has the applications and says nothing; the service dies with its calls under way.
  panel.behave("SILENT")
  const taken = await beginSome(3)
  await eventually(
    () => panel.taken.size,
    (size) => size === taken.length
  )
  await service.end("SIGKILL")
  panel.behave("OK")
  identity.behave("SILENT")
  await launch()
  // An attempt nobody is at any more is made again when its time is over; then the checks are asked for.
  await eventually(
    () => identity.taken.size,
    (size) => size >= taken.length,
    60_000
  )
  const atOnce = await beginSome(3)
  await service.end("SIGKILL")
  identity.behave("OK")
  await launch()
  await eventually(states, (rows) => rows.length === 6 && rows.every(isDone), 90_000)

  const journeys = [...taken, ...atOnce].toSorted()
  expect([...panel.taken.values()].map(({ journeyId }) => journeyId).toSorted()).toEqual(journeys)
  expect([...identity.taken.values()].map(({ journeyId }) => journeyId).toSorted()).toEqual(journeys)
  for (const { asked } of [panel, identity]) {
    expect(asked.every(({ isGenuine }) => isGenuine)).toBe(true)
    expect(asked.length).toBeGreaterThan(journeys.length)
  }
  expect(new Set(panel.asked.map(({ body, idempotencyKey }) => `${body.journeyId} ${idempotencyKey}`)).size).toBe(6)
  const events = await queryDirectly<{ readonly type: string; readonly n: number }>(
    databaseUrl,
    "select type, count(*)::int as n from events group by type order by type"
  )
  expect(events).toEqual([
    { type: "finance_enquiry.submitted", n: 6 },
    { type: "identity.requested", n: 6 },
    { type: "journey.created", n: 6 }
  ])
})
