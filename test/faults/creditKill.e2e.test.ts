/**
 * Two processes of the service on one database get more starts than there is credit for, and one of them is killed
 * meanwhile. A repeated request gets the same answer, and no credit is promised twice, lost, or charged without a line
 * in the ledger (INV-9).
 */
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, it } from "vitest"
import { ask, askSettings, makeCompany, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/freePort.ts"
import { freshDatabase } from "../support/service.ts"
import { holdRows } from "./heldRows.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"

const deals = 20

let databaseUrl: string
let services: ReadonlyArray<ServiceProcess>
beforeEach(async () => {
  databaseUrl = await freshDatabase()
  const first = await startProcess(databaseUrl, await freePort())
  services = [first, await startProcess(databaseUrl, await freePort())]
})
afterEach(async () => {
  await Promise.all(services.map((one) => one.end("SIGKILL")))
})

const companyWith = (credits: number) => {
  const [first] = services
  if (first === undefined) throw new Error("no service")
  return makeCompany(first, { credits, settings: { identityProvider: { kind: "BUILT_IN" } } })
}

const dealsOf = () =>
  Array.from({ length: deals }, () => {
    const body = startBody("IDENTITY_DELIVERY")
    body.customer.email = `${randomUUID()}@customer.example`
    return { body, key: randomUUID() }
  })

/** The status of the answer, or null if the service died. */
const startAt = (at: number, company: TestCompany, { body, key }: ReturnType<typeof dealsOf>[number]) => {
  const service = services[at % services.length]
  return service === undefined
    ? Promise.resolve(null)
    : ask(service, company.liveKey, "/api/v1/journeys", { body, headers: { "idempotency-key": key } }).then(
        ({ status }) => status,
        () => null
      )
}

const countOf = (statuses: ReadonlyArray<number | null>, status: number) =>
  statuses.filter((one) => one === status).length

const expectSpent = async (company: TestCompany, credits: number) => {
  const [wallet] = await queryDirectly(
    databaseUrl,
    `select balance::int, held::int, (select sum(amount)::int from wallet_ledger l
        where l.company_id = w.company_id and l.wallet = w.wallet) as ledger,
      (select count(*)::int from journeys j where j.company_id = w.company_id) as journeys
     from wallets w where company_id = $1 and wallet = 'IDENTITY'`,
    [company.id]
  )
  expect(wallet).toEqual({ balance: 0, held: 0, ledger: 0, journeys: credits })
  expect(await inconsistencies((text, values) => queryDirectly(databaseUrl, text, values))).toEqual([])
}

it(
  "accepts one of twenty simultaneous starts when there is credit for one, whichever process takes it",
  { timeout: 120_000 },
  async () => {
    for (let round = 0; round < 3; round++) {
      const company = await companyWith(1)
      const statuses = await Promise.all(dealsOf().map((deal, at) => startAt(at, company, deal)))
      expect([countOf(statuses, 202), countOf(statuses, 422)]).toEqual([1, deals - 1])
      await expectSpent(company, 1)
    }
  }
)

it(
  "accepts as many starts as there is credit for when one process dies during its starts",
  { timeout: 120_000 },
  async () => {
    const credits = 5
    const company = await companyWith(credits)
    const wanted = dealsOf()
    // The wallet is locked until both processes have starts under way.
    const held = await holdRows(databaseUrl)
    await held.take("select from wallets where company_id = $1 order by wallet for update", [company.id])
    const before = wanted.map((deal, at) => startAt(at, company, deal))
    await held.awaited("customer_id, idempotency_key, fingerprint", 2)
    await services[0]?.end("SIGKILL")
    await held.letGo()
    const heard = await Promise.all(before)
    // Only the second process is left. Callers without a certain answer ask it again with the same key.
    services = services.slice(1)
    // Its connections were cut too, so it may answer 503 until it has new ones.
    const after = await Promise.all(
      wanted.map((deal) =>
        eventually(
          () => startAt(0, company, deal),
          (status) => status === 200 || status === 202 || status === 422,
          30_000
        )
      )
    )
    expect(countOf(after, 200) + countOf(after, 202)).toBe(credits)
    for (const [at, status] of heard.entries()) if (status === 202) expect(after[at]).toBe(200)
    const { data } = await askSettings(services[0] ?? { baseUrl: "" }, `/companies/${company.id}/wallets`)
    expect(data.content[1]).toEqual({ wallet: "IDENTITY", balance: 0, held: 0 })
    await expectSpent(company, credits)
  }
)
