/**
 * kill -9 while providers are being asked: before a request leaves, before its answer comes, between the answer and its
 * record, after the record, and at other moments. A repeated request has the same id, so no panel ever has two
 * applications of one journey, and no provider two checks of one request (INV-20). Every journey goes on.
 */
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { freePort } from "../support/freePort.ts"
import { makeProvidedCompany } from "../support/providerRequests.ts"
import { freshDatabase } from "../support/service.ts"
import { holdRows } from "./heldRows.ts"
import { skipTheWait } from "./skipTheWait.ts"
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

const begin = async (shape: Shape = "FINANCE_SUBMIT_VIA_MIRA"): Promise<string> => {
  const body = startBody(shape)
  body.customer.email = `${randomUUID()}@example.com`
  return (await start(service, company.liveKey, body)).data.id
}
const beginSome = (count: number) => Promise.all(Array.from({ length: count }, () => begin()))

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

it(
  "asks each provider again under the same id after a kill, so nothing is done twice",
  { timeout: 240_000 },
  async () => {
    // The panel has the applications and does not answer. The service dies with its calls under way.
    panel.behave("SILENT")
    const taken = await beginSome(3)
    await eventually(
      () => panel.taken.size,
      (size) => size === taken.length
    )
    await service.end("SIGKILL")
    panel.behave("OK")
    identity.behave("SILENT")
    await skipTheWait(databaseUrl)
    await launch()
    // The abandoned attempts are repeated. Then the checks are asked for.
    await eventually(
      () => identity.taken.size,
      (size) => size >= taken.length,
      60_000
    )
    const atOnce = await beginSome(3)
    await service.end("SIGKILL")
    identity.behave("OK")
    await skipTheWait(databaseUrl)
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
  }
)

/** A provider that takes requests, and answers about a journey when the test says so. */
const answering = ({ beforeAnswering }: FakePanel | FakeIdentityProvider) => {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gateOf = (journeyId: string) => {
    const gate = gates.get(journeyId) ?? Promise.withResolvers<void>()
    gates.set(journeyId, gate)
    return gate
  }
  beforeAnswering(({ journeyId }) => gateOf(journeyId).promise)
  return (journeyId: string) => gateOf(journeyId).resolve()
}

const isTaken = ({ taken }: FakePanel | FakeIdentityProvider, journeyId: string): boolean =>
  [...taken.values()].some((one) => one.journeyId === journeyId)

/** The ids under which it was asked about a journey, one for each request. */
const idsAsked = ({ asked }: FakePanel | FakeIdentityProvider, journeyId: string) =>
  asked.flatMap(({ body, idempotencyKey }) => (body.journeyId === journeyId ? [idempotencyKey] : []))

const rowOf = async (id: string) => (await states()).find((one) => one.id === id)
const goesOn = (id: string) =>
  eventually(
    () => rowOf(id),
    (row) => row !== undefined && isDone(row),
    30_000
  )

it(
  "asks once more under the same id only if the answer was not recorded, and never again if it was",
  { timeout: 240_000 },
  async () => {
    const answerOfPanel = answering(panel)
    const answerOfProvider = answering(identity)
    // Everything is recorded.
    const [submitted, checked] = [await begin(), await begin("IDENTITY_DELIVERY")]
    answerOfPanel(submitted)
    for (const id of [submitted, checked]) answerOfProvider(id)
    for (const id of [submitted, checked]) await goesOn(id)

    // The provider has the request and has not answered.
    const unanswered = [await begin(), await begin("IDENTITY_DELIVERY")] as const
    // The provider will have answered, and its answer is not recorded.
    const unrecorded = [await begin(), await begin("IDENTITY_DELIVERY")] as const
    await eventually(
      () => [unanswered, unrecorded].flatMap(([first, other]) => [isTaken(panel, first), isTaken(identity, other)]),
      (taken) => taken.every(Boolean),
      30_000
    )
    // A slow machine may repeat a request meanwhile. It hears nothing before the service is dead.
    panel.behave("SILENT")
    identity.behave("SILENT")

    // The attempt has begun, and nothing has left the service.
    const held = await holdRows(databaseUrl)
    await held.take("lock table provider_requests in share row exclusive mode")
    const unasked = [await begin(), await begin("IDENTITY_DELIVERY")] as const
    await held.awaited("insert into provider_requests", unasked.length)

    for (const id of unrecorded) await held.take("select from journeys where id = $1 for no key update", [id])
    answerOfPanel(unrecorded[0])
    await held.awaited("update journeys")
    answerOfProvider(unrecorded[1])
    await eventually(
      () => queryDirectly(databaseUrl, "select from identity_checks where journey_id = $1", [unrecorded[1]]),
      (rows) => rows.length === 1,
      30_000
    )
    await service.end("SIGKILL")
    await held.letGo()
    expect(unasked.some((id) => isTaken(panel, id) || isTaken(identity, id))).toBe(false)

    panel.behave("OK")
    identity.behave("OK")
    const all = [submitted, checked, ...unanswered, ...unrecorded, ...unasked]
    for (const id of all) {
      answerOfPanel(id)
      answerOfProvider(id)
    }
    // The wait is not skipped: the journal is compared with the rules below.
    await launch()
    await eventually(states, (rows) => rows.length === all.length && rows.every(isDone), 120_000)

    for (const [one, journeyId] of [
      [panel, submitted],
      [panel, unasked[0]],
      [identity, checked],
      [identity, unasked[1]],
      [identity, submitted]
    ] as const) {
      expect(idsAsked(one, journeyId)).toHaveLength(1)
    }
    for (const [panelJourney, identityJourney] of [unanswered, unrecorded]) {
      for (const ids of [idsAsked(panel, panelJourney), idsAsked(identity, identityJourney)]) {
        expect(ids.length).toBeGreaterThan(1)
        expect(new Set(ids).size).toBe(1)
      }
    }
    expect([...panel.taken.values()].map(({ journeyId }) => journeyId).toSorted()).toEqual(
      [submitted, unanswered[0], unrecorded[0], unasked[0]].toSorted()
    )
    expect([...identity.taken.values()].map(({ journeyId }) => journeyId).toSorted()).toEqual(all.toSorted())
    // Each cause brought one mail, each check cost one credit, and every row is the fold of its journal.
    const mails = await queryDirectly<{ readonly kind: string; readonly n: number }>(
      databaseUrl,
      "select kind, count(*)::int as n from mails where kind <> 'ACCESS_CHANGED' group by kind order by kind"
    )
    expect(mails).toEqual([
      { kind: "VERIFY_IDENTITY", n: all.length },
      { kind: "WELCOME", n: all.length }
    ])
    expect(await inconsistencies((text, values) => queryDirectly(databaseUrl, text, values))).toEqual([])
  }
)
