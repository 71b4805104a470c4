/**
 * What an operator's lists, and the list of callers by each of its filters, cost with more than a hundred thousand journeys: an
 * index each, and few pages, at the front and far behind.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { installationLimits } from "../../../src/schema/installation/limits.ts"
import { JourneyType } from "../../../src/schema/journey/statuses.ts"
import { waitingOn } from "../../../src/schema/journey/steps.ts"
import { textArray } from "../../../src/runtime/postgres/parameters.ts"
import { placeParameters } from "../../../src/runtime/postgres/places.ts"
import { failingStatement } from "../../../src/runtime/stores/installation/PostgresFailingEndpoints.ts"
import { openWorkStatement } from "../../../src/runtime/stores/installation/PostgresOpenWork.ts"
import { setAsideStatement } from "../../../src/runtime/stores/installation/PostgresSetAsideJourneys.ts"
import { longestWaitingStatement } from "../../../src/runtime/stores/installation/PostgresWaitingJourneys.ts"
import { everyJourney, type JourneysFilter, type ListQuery } from "../../../src/actors/journey/actor/JourneyStore.ts"
import { listedBy } from "../../../src/runtime/stores/journey/journeyPages.ts"
import { countStatement, pieceStatement } from "../../../src/runtime/stores/journey/journeyPageStatements.ts"
import { CompanyId } from "../../../src/schema/ids.ts"
import { listLimits } from "../../../src/schema/limits.ts"
import { planOf } from "../../support/plans.ts"
import { startService, type Service } from "../../support/service.ts"
import { makeCompany } from "../../support/companies.ts"

const journeys = 100_000
/** Rows of one insert, within the time of one statement. */
const atOnce = 5000
const size = 21

const customerReference = "00000000-0000-4000-8000-000000000001"

let service: Service
let companyId: string
beforeAll(async () => {
  service = await startService()
  const company = await makeCompany(service)
  const words = waitingOn.filter((word) => word !== "UNKNOWN")
  for (let from = 1; from <= journeys; from += atOnce) {
    await service.query(
      `insert into journeys (id, company_id, livemode, status, type, version, customer_id, idempotency_key, fingerprint, state,
         created_at, waiting_on, waiting_since, wake_at, set_aside_at, is_filled)
       select gen_random_uuid(), $1, true, 'ACTIVE', 'IDENTITY_DELIVERY', 1, gen_random_uuid(), n::text, ''::bytea, '{}',
         now(), ($2::text[])[1 + n % $3::int], now() - n * interval '1 minute', now() + interval '1 year',
         case when n % 100 = 0 then now() - n * interval '1 second' end, true
       from generate_series($4::int, $5::int) n`,
      [company.id, textArray(words), words.length, from, from + atOnce - 1]
    )
  }
  // Some that have ended, each fiftieth with a reference, a thousand of one customer.
  await service.query(
    `insert into journeys (id, company_id, livemode, status, type, version, customer_id, idempotency_key, fingerprint, state,
       created_at, ended_at, external_reference, is_filled)
     select gen_random_uuid(), $1, true, 'CANCELLED', 'DELIVERY', 1,
       case when n % 10 = 0 then $2::uuid else gen_random_uuid() end, 'ended-' || n, ''::bytea, '{}',
       now() - n * interval '1 minute', now() - n * interval '30 seconds', case when n % 50 = 0 then 'deal' end, true
     from generate_series(1, 10000) n`,
    [company.id, customerReference]
  )
  await service.query("analyze journeys")
  companyId = company.id
}, 300_000)
afterAll(() => service.stop())

/** Behind the middle of the list. */
const middle = {
  micros: String((Date.now() - (journeys / 2) * 60_000) * 1000),
  id: "00000000-0000-0000-0000-000000000000"
}

const plan = (text: string, values: ReadonlyArray<unknown>) => planOf(service, service.sql.unsafe(text, values))

it("what waits is read from its index, as cheaply in the middle as at the front", async () => {
  for (const [waits, most] of [
    [["DEALER_TO_REVIEW"], 60],
    [waitingOn, 500]
  ] as const) {
    for (const after of [null, middle]) {
      const { pages, steps } = await plan(longestWaitingStatement, [
        ...placeParameters(after),
        size,
        textArray(waits),
        null,
        textArray(JourneyType.literals)
      ])
      expect(steps.filter((step) => step.startsWith("Seq Scan of journeys"))).toEqual([])
      expect(pages).toBeLessThan(most)
    }
  }
})

it("what was set aside, and endpoints that fail, are read from their indexes", async () => {
  const aside = await plan(setAsideStatement, [...placeParameters(null), size])
  expect(aside.steps.filter((step) => step.startsWith("Seq Scan of journeys"))).toEqual([])
  expect(aside.pages).toBeLessThan(1500)
  expect((await plan(failingStatement, [...placeParameters(null), size])).pages).toBeLessThan(50)
})

it("the counts stop at their limit", async () => {
  const { pages, steps } = await plan(openWorkStatement, [0])
  expect(steps.filter((step) => step.startsWith("Seq Scan of journeys"))).toEqual([])
  expect(pages).toBeLessThan(6 * installationLimits.countedTo)
})

/** Behind some thousands of those that have ended. */
const far = { micros: String((Date.now() - 3000 * 60_000) * 1000), id: "00000000-0000-0000-0000-000000000000" }
const longAgo = Date.now() - 1000 * 86_400_000

it.each<[string, Partial<JourneysFilter>]>([
  ["nothing", {}],
  ["status ACTIVE", { status: "ACTIVE" }],
  ["status CANCELLED", { status: "CANCELLED" }],
  ["type", { type: "DELIVERY" }],
  ["nextAction", { nextAction: "DEALER_TO_REVIEW" }],
  ["externalReference", { externalReference: "deal" }],
  ["customerReference", { customerReference }],
  ["createdAfter and createdBefore", { createdAfter: longAgo, createdBefore: Date.now() - 3_600_000 }],
  ["endedAfter", { endedAfter: longAgo }],
  ["endedAfter and endedBefore", { endedAfter: longAgo, endedBefore: Date.now() - 3_600_000 }],
  ["endedAfter, status and type", { endedAfter: longAgo, status: "CANCELLED", type: "DELIVERY" }],
  ["customerReference and status", { customerReference, status: "CANCELLED" }]
])("callers' journeys by %s are read from an index, and counted up to the bound", async (_, narrowed) => {
  const scope = { companyId: CompanyId.make(companyId), livemode: true }
  const filter = { ...everyJourney, ...narrowed }
  for (const from of [{ page: 0 }, { after: far }] satisfies ReadonlyArray<ListQuery["from"]>) {
    const { found, parameters } = listedBy(scope, { filter, from, size })
    const asked = [...parameters(size), 0]
    const piece = await plan(pieceStatement(found, asked.length), asked)
    expect(piece.steps.filter((step) => step.startsWith("Seq Scan"))).toEqual([])
    // The row that is shown costs a page or two beside those of the index; of 39 ways to wait each begins with its own pages.
    expect(piece.pages).toBeLessThan(500)
    const count = await plan(countStatement(found), parameters(listLimits.mostCounted + 1))
    expect(count.steps.filter((step) => step.startsWith("Seq Scan"))).toEqual([])
  }
})
