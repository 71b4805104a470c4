import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ledgerLines } from "../../../../src/runtime/stores/company/PostgresWalletStore.ts"
import { CompanyId } from "../../../../src/schema/ids.ts"
import { askSettings, makeCompany, start, startBody, type Answer } from "../../../support/companies.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { planOf } from "../../../support/plans.ts"
import { piecesOf } from "../../../support/pieces.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const codesOf = (answer: Answer) => answer.errors?.map(({ code, field }) => [field, code])
const walletsOf = async (id: string) => (await askSettings(service, `/companies/${id}/wallets`)).data.content
const credit = (id: string, wallet: string, body: unknown) =>
  askSettings(service, `/companies/${id}/wallets/${wallet}/credits`, { body })

/** Lines of a ledger, each so long after the one before. */
const fill = (id: string, lines: number, apart = "1 minute") =>
  queryDirectly(
    service.databaseUrl,
    `insert into wallet_ledger (company_id, wallet, amount, note, at)
     select $1::uuid, 'IDENTITY', 1, 'Line ' || n, '2026-01-01'::timestamptz + n * $3::interval from generate_series(1, $2::int) n`,
    [id, lines, apart]
  )

const liveCompany = () => makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } } })

it("shows both wallets of a new company, empty", async () => {
  const { id } = await makeCompany(service)
  const answer = await askSettings(service, `/companies/${id}/wallets`)
  expect(answer.data).toEqual({
    content: [
      { wallet: "APPLICATION", balance: 0, held: 0 },
      { wallet: "IDENTITY", balance: 0, held: 0 }
    ],
    page: 0,
    size: 20,
    totalElements: 2,
    totalPages: 1
  })
})

it("lists the wallets page by page", async () => {
  const { id } = await makeCompany(service)
  const page = async (number: number) =>
    (await askSettings(service, `/companies/${id}/wallets?size=1&page=${number}`)).data.content
  expect([await page(0), await page(1), await page(2)]).toEqual([
    [{ wallet: "APPLICATION", balance: 0, held: 0 }],
    [{ wallet: "IDENTITY", balance: 0, held: 0 }],
    []
  ])
})

it("adds credits to the wallet they are for; the balance is the sum of the ledger", async () => {
  const { id } = await makeCompany(service)
  const other = await makeCompany(service)
  const first = await credit(id, "IDENTITY", { amount: 50, note: "Invoice 7" })
  expect([first.status, first.data]).toEqual([201, { wallet: "IDENTITY", balance: 50, held: 0 }])
  expect((await credit(id, "IDENTITY", { amount: 1_000_000, note: "Invoice 8" })).data.balance).toBe(1_000_050)
  const ledger = (await askSettings(service, `/companies/${id}/wallets/IDENTITY/ledger`)).data
  expect(ledger.content).toEqual([
    { id: expect.any(String), amount: 1_000_000, journeyId: null, note: "Invoice 8", at: expect.any(String) },
    { id: expect.any(String), amount: 50, journeyId: null, note: "Invoice 7", at: expect.any(String) }
  ])
  expect(await walletsOf(id)).toEqual([
    { wallet: "APPLICATION", balance: 0, held: 0 },
    { wallet: "IDENTITY", balance: 1_000_050, held: 0 }
  ])
  expect((await askSettings(service, `/companies/${id}/wallets/APPLICATION/ledger`)).data.content).toEqual([])
  expect((await walletsOf(other.id))[1].balance).toBe(0)
  expect((await askSettings(service, `/companies/${other.id}/wallets/IDENTITY/ledger`)).data.content).toEqual([])
})

const once = (id: string, key: string, wallet = "IDENTITY", body: object = { amount: 50, note: "Invoice 7" }) =>
  askSettings(service, `/companies/${id}/wallets/${wallet}/credits`, { body, headers: { "idempotency-key": key } })

describe("credits with an Idempotency-Key", () => {
  it("are added once, however often and however many at once the request comes", async () => {
    const { id } = await makeCompany(service)
    const answers = await Promise.all(Array.from({ length: 5 }, () => once(id, "invoice-7")))
    expect(answers.filter(({ data, status }) => status === 201 && data.balance === 50)).toHaveLength(5)
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(4)
    await credit(id, "IDENTITY", { amount: 1, note: "Invoice 8" })
    expect((await once(id, "invoice-7")).data).toEqual({ wallet: "IDENTITY", balance: 51, held: 0 })
    const lines = (await askSettings(service, `/companies/${id}/audit`)).data.content
    expect(lines.filter(({ action }: { readonly action: string }) => action === "wallet.credited")).toHaveLength(2)
  })

  it("are refused under a key that other credits have, and added for another company under the same", async () => {
    const { id } = await makeCompany(service)
    const other = await makeCompany(service)
    await once(id, "invoice-7")
    for (const [wallet, body] of [
      ["APPLICATION", { amount: 50, note: "Invoice 7" }],
      ["IDENTITY", { amount: 51, note: "Invoice 7" }],
      ["IDENTITY", { amount: 50, note: "Invoice 8" }]
    ] as const) {
      const refused = await once(id, "invoice-7", wallet, body)
      expect([refused.status, codesOf(refused)]).toEqual([409, [["Idempotency-Key", "IDEMPOTENCY_KEY_REUSED"]]])
    }
    expect(codesOf(await once(id, "no"))).toEqual([["Idempotency-Key", "IDEMPOTENCY_KEY_REQUIRED"]])
    expect(await walletsOf(id)).toEqual([
      { wallet: "APPLICATION", balance: 0, held: 0 },
      { wallet: "IDENTITY", balance: 50, held: 0 }
    ])
    expect((await once(other.id, "invoice-7")).data.balance).toBe(50)
  })
})

it("lists the ledger of a part of time, from its first moment on and before its last", async () => {
  const { id } = await makeCompany(service)
  await fill(id, 10)
  const notes = async (query: string) => {
    const { content } = (await askSettings(service, `/companies/${id}/wallets/IDENTITY/ledger?size=100&${query}`)).data
    return content.map(({ note }: { readonly note: string }) => note)
  }
  expect((await notes("")).length).toBe(10)
  expect(await notes("since=2026-01-01T00:08:00Z")).toEqual(["Line 10", "Line 9", "Line 8"])
  expect(await notes("until=2026-01-01T00:03:00Z")).toEqual(["Line 2", "Line 1"])
  expect(await notes("since=2026-01-01T00:03:00Z&until=2026-01-01T00:05:00Z")).toEqual(["Line 4", "Line 3"])
  const refused = await askSettings(service, `/companies/${id}/wallets/IDENTITY/ledger?since=x&until=y`)
  expect(codesOf(refused)).toEqual([
    ["since", "VALIDATION_FAILED"],
    ["until", "VALIDATION_FAILED"]
  ])
})

it("goes on in the ledger from its cursor, also where many lines have one time", async () => {
  const { id } = await makeCompany(service)
  await fill(id, 25, "0 minutes")
  const pieces = await piecesOf(
    (query) => askSettings(service, `/companies/${id}/wallets/IDENTITY/ledger?since=2026-01-01T00:00:00Z&${query}`),
    10
  )
  expect(pieces.map((piece) => piece.length)).toEqual([10, 10, 5])
  expect(new Set(pieces.flat().map((line) => line.id)).size).toBe(25)
})

describe("with a hundred thousand lines, a piece of the ledger reads its own lines and no others", () => {
  let company: CompanyId
  beforeAll(async () => {
    company = CompanyId.make((await makeCompany(service)).id)
    await fill(company, 100_000)
    await queryDirectly(service.databaseUrl, "vacuum analyze wallet_ledger")
  })

  it.each([
    ["the newest", { since: null, until: null }],
    ["until a time long ago", { since: null, until: Date.parse("2026-01-02") }],
    [
      "of an hour in the middle",
      { since: Date.parse("2026-02-01T09:00:00Z"), until: Date.parse("2026-02-01T10:00:00Z") }
    ]
  ])("%s, at the beginning and far inside", async (_, span) => {
    const [middle] = await service.query<{ readonly id: bigint }>(
      "select id from wallet_ledger where company_id = $1 order by at offset 50000 limit 1",
      [company]
    )
    for (const after of [null, String(middle?.id)]) {
      const { pages, steps, wasted } = await planOf(
        service,
        ledgerLines(service.sql, company, { wallet: "IDENTITY", span }, { after, size: 20 })
      )
      expect(steps.filter((step) => step.startsWith("Seq Scan") || step.startsWith("Sort"))).toEqual([])
      expect([wasted, pages < 60]).toEqual([0, true])
    }
  })
})

it("loses no credit when many are added at once", async () => {
  const { id } = await makeCompany(service)
  await Promise.all(Array.from({ length: 20 }, () => credit(id, "APPLICATION", { amount: 3, note: "Batch" })))
  expect((await walletsOf(id))[0]).toEqual({ wallet: "APPLICATION", balance: 60, held: 0 })
  const ledger = await piecesOf(
    (query) => askSettings(service, `/companies/${id}/wallets/APPLICATION/ledger?${query}`),
    7
  )
  expect(ledger.map((piece) => piece.length)).toEqual([7, 7, 6])
  expect(new Set(ledger.flat().map(({ id }) => id)).size).toBe(20)
})

it.each([
  [{}, ["amount", "note"]],
  [{ amount: 0, note: "x" }, ["amount"]],
  [{ amount: -1, note: "x" }, ["amount"]],
  [{ amount: 1.5, note: "x" }, ["amount"]],
  [{ amount: 1_000_001, note: "x" }, ["amount"]],
  [{ amount: "5", note: "x" }, ["amount"]],
  [{ amount: 5, note: " ", journeyId: "x" }, ["journeyId", "note"]],
  [[5], ["body"]]
])("refuses the credit %j at %j and adds nothing", async (body, fields) => {
  const { id } = await makeCompany(service)
  const answer = await credit(id, "IDENTITY", body)
  expect([answer.status, codesOf(answer)]).toEqual([400, fields.map((field) => [field, "VALIDATION_FAILED"])])
  expect((await walletsOf(id))[1].balance).toBe(0)
})

it("knows no wallet of another name and no company that is not there", async () => {
  const { id } = await makeCompany(service)
  const good = { amount: 1, note: "x" }
  expect(codesOf(await credit(id, "identity", good))).toEqual([["wallet", "NOT_FOUND"]])
  expect(codesOf(await credit("00000000-0000-7000-8000-000000000000", "IDENTITY", good))).toEqual([
    ["company", "NOT_FOUND"]
  ])
  expect((await askSettings(service, `/companies/${id}/wallets/CASH/ledger`)).status).toBe(404)
})

it("refuses a live start whose wallet is one short and takes one whose wallet holds exactly enough", async () => {
  const { id, liveKey } = await liveCompany()
  await askSettings(service, `/companies/${id}`, {
    method: "PATCH",
    body: { financePanel: { name: "PanelOne", url: "https://panel.example", secret: "0123456789abcdef" } }
  })
  const startOne = () => start(service, liveKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))
  expect(codesOf(await startOne())).toEqual([["wallets.APPLICATION", "INSUFFICIENT_CREDITS"]])
  await credit(id, "APPLICATION", { amount: 1, note: "One" })
  expect(codesOf(await startOne())).toEqual([["wallets.IDENTITY", "INSUFFICIENT_CREDITS"]])
  expect((await walletsOf(id)).map(({ held }: { readonly held: number }) => held)).toEqual([0, 0])
  await credit(id, "IDENTITY", { amount: 1, note: "One" })
  expect((await startOne()).status).toBe(202)
  expect((await startOne()).status).toBe(422)
})

it("lets credit for one pay for one of twenty live starts at once", async () => {
  const { id, liveKey } = await liveCompany()
  await credit(id, "IDENTITY", { amount: 1, note: "One" })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const body = startBody("IDENTITY_DELIVERY")
      body.customer.email = `customer${at}@example.com`
      return start(service, liveKey, body)
    })
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([202, ...Array.from({ length: 19 }, () => 422)])
  // The check is asked for by the start itself, so what it held is charged already (B1).
  expect((await walletsOf(id))[1]).toMatchObject({ balance: 0, held: 0 })
  const [count] = await service.query<{ readonly journeys: number }>(
    "select count(*)::int as journeys from journeys where company_id = $1",
    [id]
  )
  expect(count?.journeys).toBe(1)
})

it("never touches a wallet for a test journey", async () => {
  const { id, testKey } = await makeCompany(service, { credits: 5 })
  expect((await start(service, testKey, startBody("IDENTITY_DELIVERY"))).status).toBe(202)
  expect(await walletsOf(id)).toEqual([
    { wallet: "APPLICATION", balance: 5, held: 0 },
    { wallet: "IDENTITY", balance: 5, held: 0 }
  ])
})
