/**
 * Four hundred applications at a panel that takes connections and never answers, and a hundred checks at such a provider,
 * beside another company: the other's panel and identity provider are asked while the dead ones still have most of theirs before them.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { effectLimits } from "../../../src/actors/journey/actor/limits.ts"
import type { Shape } from "../../../src/schema/journey/statuses.ts"
import { makeCompany, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../../support/fakePanel.ts"
import { makeProvidedCompany, startLive } from "../../support/providerRequests.ts"
import { startService, type Service } from "../../support/service.ts"
import { startSilentServer, type SilentServer } from "../../support/silentServer.ts"

const applications = 400
const checks = 100
const startsAtOnce = 20
const ofTheOther = 20
/** Only how long the test waits; what it judges is the order. */
const askedWithinMillis = 30_000
const applying: Shape = "FINANCE_SUBMIT_VIA_MIRA"
const checked: Shape = "IDENTITY_DELIVERY"

const at = ({ port }: SilentServer) => `http://127.0.0.1:${port}/`

let deadPanel: SilentServer
let deadProvider: SilentServer
let panel: FakePanel
let identity: FakeIdentityProvider
let service: Service
let deadCompany: TestCompany
let other: TestCompany

beforeAll(async () => {
  deadPanel = await startSilentServer()
  deadProvider = await startSilentServer()
  panel = await startFakePanel()
  identity = await startFakeIdentityProvider()
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", BASE_URL: "https://journeys.example" })
  deadCompany = await makeCompany(service, {
    credits: applications + checks,
    settings: {
      financePanel: { ...panel.settings, url: at(deadPanel) },
      identityProvider: { ...identity.settings, url: at(deadProvider) }
    }
  })
  other = await makeProvidedCompany(service, panel, identity)
})
afterAll(async () => {
  await service.stop()
  await Promise.all([deadPanel.stop(), deadProvider.stop(), panel.stop(), identity.stop()])
})

const startMany = async (company: TestCompany, shape: Shape, count: number) => {
  for (let started = 0; started < count; started += startsAtOnce) {
    await Promise.all(Array.from({ length: startsAtOnce }, () => startLive(service, company, shape)))
  }
}

/** Journeys of this company whose application no panel has taken yet. */
const owedBy = async (company: TestCompany) => {
  const [row] = await service.query<{ readonly count: number }>(
    `select count(*)::int as count from journeys
     where company_id = $1 and jsonb_path_exists(state::jsonb, '$.owed[*] ? (@.kind == "SUBMIT_APPLICATION")')`,
    [company.id]
  )
  return row?.count ?? 0
}

it("a panel and a provider that never answer hold their share of the places, and another company's are asked meanwhile", async () => {
  await startMany(deadCompany, applying, applications)
  await startMany(deadCompany, checked, checks)
  // Some have failed meanwhile. Those that wait are asked for again and again, so the panel's places are never empty for long.
  await eventually(
    () => [deadPanel.open(), deadProvider.open()],
    (open) => open.every((count) => count > 0)
  )

  const journeys = await Promise.all(Array.from({ length: ofTheOther }, () => startLive(service, other, applying)))
  await eventually(
    () => [panel.taken.size, identity.taken.size],
    ([applied, checked]) => applied === ofTheOther && checked === ofTheOther,
    askedWithinMillis
  )
  expect(new Set([...panel.taken.values()].map(({ journeyId }) => journeyId))).toEqual(new Set(journeys))

  // The dead ones have had a part of theirs by now, a few at once, and every application is still owed.
  expect(deadPanel.taken()).toBeLessThan(applications / 2)
  expect(deadProvider.taken()).toBeLessThan(checks)
  for (const dead of [deadPanel, deadProvider]) {
    expect(dead.mostOpen()).toBeLessThanOrEqual(effectLimits.attemptsAtOnce / 8)
  }
  expect(await owedBy(deadCompany)).toBe(applications)
  expect(
    await eventually(
      () => owedBy(other),
      (owed) => owed === 0
    )
  ).toBe(0)
})
