/**
 * Credit under many starts at once (decision B, INV-9): held by the start itself, charged when the check is asked
 * for, given back when it never is, and never more promised than there is, whoever starts where.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { inconsistencies } from "../../../support/consistency.ts"
import { eventually } from "../../../support/eventually.ts"
import { startFakePanel, type FakePanel } from "../../../support/fakePanel.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { freshKey } from "../../../support/requests.ts"
import { startService, type Service } from "../../../support/service.ts"

const atOnce = 20

let panel: FakePanel
/** Two services that share a database and nothing else. */
let service: Service
let second: Service
beforeAll(async () => {
  const environment = { WEBHOOK_ALLOW_INSECURE: "true", RATE_LIMIT_PER_MINUTE: "1000000", SANDBOX_STEP: "50 millis" }
  service = await startService({ ...environment, SANDBOX_CALLER_STEP: "50 millis" })
  second = await startService({ ...environment, DATABASE_URL: service.databaseUrl })
})
beforeEach(async () => {
  panel = await startFakePanel()
})
afterEach(() => panel.stop())
afterAll(async () => {
  await second.stop()
  await service.stop()
})

const companyWith = (credits: number): Promise<TestCompany> =>
  makeCompany(service, {
    credits,
    settings: { identityProvider: { kind: "BUILT_IN" }, financePanel: panel.settings }
  })

let customers = 0
const bodyOf = (shape: Shape) => {
  const body = startBody(shape)
  body.customer.email = `customer-${(customers += 1)}@example.com`
  return body
}

const wallets = async ({ id }: TestCompany) => {
  const { data } = await askSettings(service, `/companies/${id}/wallets`)
  return Object.fromEntries(
    data.content.map(({ balance, held, wallet }: { wallet: string; balance: number; held: number }) => [
      wallet,
      { balance, held }
    ])
  )
}

/** What the ledger says was bought and charged, by wallet, oldest first. */
const ledger = async ({ id }: TestCompany) => {
  const rows = await service.query<{ readonly wallet: string; readonly amounts: ReadonlyArray<number> }>(
    "select wallet, array_agg(amount::int order by id) as amounts from wallet_ledger where company_id = $1 group by 1",
    [id]
  )
  return Object.fromEntries(rows.map(({ amounts, wallet }) => [wallet, amounts]))
}

/** Starts of different customers under different keys, at the services in turn; the ids of those that were accepted. */
const startMany = async (company: TestCompany, shape: Shape, services: ReadonlyArray<Service>) => {
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, at) =>
      start(services[at % services.length] ?? service, company.liveKey, bodyOf(shape), freshKey())
    )
  )
  return {
    accepted: answers.flatMap(({ data, status }) => (status === 202 ? [String(data.id)] : [])),
    refused: answers.flatMap(({ errors, status }) =>
      status === 422 ? [errors?.map(({ code, field }) => `${code} ${field}`).join()] : []
    )
  }
}
const allButOne = (wallet: string) => Array.from({ length: atOnce - 1 }, () => `INSUFFICIENT_CREDITS wallets.${wallet}`)

describe.each([
  ["one service", () => [service]],
  ["two services on one database", () => [service, second]]
])("credit for one among twenty starts at once at %s", (_, services) => {
  it.each(["IDENTITY_DELIVERY", "FINANCE_ALREADY_SUBMITTED", "CASH_SALE"] as const)(
    "is charged by the one %s that is accepted, whose check is asked for at once",
    async (shape) => {
      const company = await companyWith(1)
      const { accepted, refused } = await startMany(company, shape, services())
      expect(accepted).toHaveLength(1)
      expect(refused).toEqual(allButOne("IDENTITY"))
      expect(await wallets(company)).toEqual({
        APPLICATION: { balance: 1, held: 0 },
        IDENTITY: { balance: 0, held: 0 }
      })
      expect(await ledger(company)).toEqual({ APPLICATION: [1], IDENTITY: [1, -1] })
      // Whoever was refused left nothing behind.
      const [left] = await service.query(
        `select count(*)::int as journeys, count(distinct customer_id)::int as customers,
          (select count(*)::int from customers where company_id = $1) as known from journeys where company_id = $1`,
        [company.id]
      )
      expect(left).toEqual({ journeys: 1, customers: 1, known: 1 })
    }
  )

  it("is held until the check is asked for, and charged then", async () => {
    panel.behave("SLOW")
    const company = await companyWith(1)
    const { accepted, refused } = await startMany(company, "FINANCE_SUBMIT_VIA_MIRA", services())
    expect(accepted).toHaveLength(1)
    expect(refused).toEqual(allButOne("APPLICATION"))
    await panel.arrived(1)
    const promised = { balance: 1, held: 1 }
    expect(await wallets(company)).toEqual({ APPLICATION: promised, IDENTITY: promised })
    expect(await ledger(company)).toEqual({ APPLICATION: [1], IDENTITY: [1] })
    // What is held is nobody else's.
    expect((await startMany(company, "CASH_SALE", services())).accepted).toEqual([])
    panel.release()
    const spent = { balance: 0, held: 0 }
    await eventually(
      () => wallets(company),
      ({ APPLICATION, IDENTITY }) => APPLICATION?.held === 0 && IDENTITY?.held === 0
    )
    expect(await wallets(company)).toEqual({ APPLICATION: spent, IDENTITY: spent })
    expect(await ledger(company)).toEqual({ APPLICATION: [1, -1], IDENTITY: [1, -1] })
    expect([...panel.taken.values()].map(({ journeyId }) => journeyId)).toEqual(accepted)
  })
})

it("is held once for each of twenty starts that share statements, and charged once for each", async () => {
  panel.behave("SLOW")
  const company = await companyWith(50)
  const { accepted } = await startMany(company, "FINANCE_SUBMIT_VIA_MIRA", [service])
  expect(accepted).toHaveLength(atOnce)
  const promised = { balance: 50, held: atOnce }
  expect(await wallets(company)).toEqual({ APPLICATION: promised, IDENTITY: promised })
  const [shared] = await service.query<{ readonly statements: number }>(
    "select count(distinct xmin::text)::int as statements from wallet_holds where company_id = $1",
    [company.id]
  )
  // Without starts that share a statement the test would show nothing.
  expect(shared?.statements).toBeLessThan(atOnce)
  panel.release()
  const spent = { balance: 50 - atOnce, held: 0 }
  await eventually(
    () => wallets(company),
    ({ APPLICATION, IDENTITY }) => APPLICATION?.held === 0 && IDENTITY?.held === 0
  )
  expect(await wallets(company)).toEqual({ APPLICATION: spent, IDENTITY: spent })
})

const untouched = (balance: number) => ({ APPLICATION: { balance, held: 0 }, IDENTITY: { balance, held: 0 } })

const cancel = (company: TestCompany, journeyId: string) =>
  ask(service, company.liveKey, `/api/v1/journeys/${journeyId}/cancel`, { body: { reason: "No longer wanted" } })

it("is given back by a journey that is cancelled before its checks are asked for, and serves the next", async () => {
  panel.behave("SILENT")
  const company = await companyWith(1)
  for (let round = 0; round < 3; round++) {
    const { data, status } = await start(service, company.liveKey, bodyOf("FINANCE_SUBMIT_VIA_MIRA"), freshKey())
    expect(status).toBe(202)
    expect(await wallets(company)).toMatchObject({ APPLICATION: { held: 1 }, IDENTITY: { held: 1 } })
    expect((await cancel(company, data.id)).status).toBe(200)
    const whole = { balance: 1, held: 0 }
    expect(await wallets(company)).toEqual({ APPLICATION: whole, IDENTITY: whole })
  }
  expect(await ledger(company)).toEqual({ APPLICATION: [1], IDENTITY: [1] })
})

it("is given back when the panel refuses the application", async () => {
  panel.behave(422)
  const company = await companyWith(1)
  const { data } = await start(service, company.liveKey, bodyOf("FINANCE_SUBMIT_VIA_MIRA"), freshKey())
  await eventually(
    () => ask(service, company.liveKey, `/api/v1/journeys/${data.id}`),
    (answer) => answer.data.status === "CANCELLED"
  )
  const whole = { balance: 1, held: 0 }
  expect(await wallets(company)).toEqual({ APPLICATION: whole, IDENTITY: whole })
  expect(await ledger(company)).toEqual({ APPLICATION: [1], IDENTITY: [1] })
})

it("stays charged when a journey is cancelled after its check was asked for", async () => {
  const company = await companyWith(1)
  const { data } = await start(service, company.liveKey, bodyOf("IDENTITY_DELIVERY"), freshKey())
  expect((await cancel(company, data.id)).status).toBe(200)
  expect((await wallets(company))["IDENTITY"]).toEqual({ balance: 0, held: 0 })
  expect((await ledger(company))["IDENTITY"]).toEqual([1, -1])
})

it("is neither needed nor touched by what is declined already, by a FINANCE_SALE, and by test journeys to their end", async () => {
  const company = await companyWith(0)
  const declined = bodyOf("FINANCE_ALREADY_SUBMITTED")
  declined.finance.decision = "DECLINED"
  const { data } = await start(service, company.liveKey, declined, freshKey())
  expect(data.status).toBe("CANCELLED")
  expect((await startWithPhoto(service, company.liveKey, bodyOf("FINANCE_SALE"))).status).toBe(202)
  const shapes = ["FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA", "IDENTITY_DELIVERY", "CASH_SALE"] as const
  // Who never bought any has no wallet yet, and starts nothing that needs one.
  const refused = await start(service, company.liveKey, bodyOf("IDENTITY_DELIVERY"), freshKey())
  expect([refused.status, refused.errors?.[0]?.code]).toEqual([422, "INSUFFICIENT_CREDITS"])
  const rich = await companyWith(5)
  const tests = await Promise.all(
    [company, rich].flatMap((one) => shapes.map((shape) => start(service, one.testKey, bodyOf(shape), freshKey())))
  )
  expect(tests.map(({ status }) => status)).toEqual(tests.map(() => 202))
  await eventually(
    () =>
      service.query("select 1 from journeys where not livemode and status <> 'COMPLETED' and company_id in ($1, $2)", [
        company.id,
        rich.id
      ]),
    (rows) => rows.length === 0,
    60_000
  )
  expect(await wallets(company)).toEqual(untouched(0))
  expect(await wallets(rich)).toEqual(untouched(5))
  expect(await ledger(company)).toEqual({})
  expect(await ledger(rich)).toEqual({ APPLICATION: [5], IDENTITY: [5] })
  // What a start was told of a decision no state shows: it cannot be folded again.
  const wrongs = await inconsistencies(service.query)
  expect(wrongs.filter((what) => !what.startsWith(`${data.id}: the`))).toEqual([])
})
