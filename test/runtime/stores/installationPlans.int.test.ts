/** What an operator's lists cost with a hundred thousand journeys: an index each, and few pages, at the front and far behind. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { installationLimits } from "../../../src/schema/installation/limits.ts"
import { waitingOn } from "../../../src/schema/metrics.ts"
import { textArray } from "../../../src/runtime/postgres/parameters.ts"
import { placeParameters } from "../../../src/runtime/postgres/places.ts"
import { failingStatement } from "../../../src/runtime/stores/PostgresFailingEndpoints.ts"
import { openWorkStatement } from "../../../src/runtime/stores/PostgresOpenWork.ts"
import { setAsideStatement } from "../../../src/runtime/stores/PostgresSetAsideJourneys.ts"
import { longestWaitingStatement } from "../../../src/runtime/stores/PostgresWaitingJourneys.ts"
import { planOf } from "../../support/plans.ts"
import { startService, type Service } from "../../support/service.ts"
import { makeCompany } from "../../support/companies.ts"

const journeys = 100_000
/** Rows of one insert, within the time of one statement. */
const atOnce = 5000
const size = 21

let service: Service
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
  await service.query("analyze journeys")
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
        null
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
