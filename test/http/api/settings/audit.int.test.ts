/** The audit log as a list: its filters, its cursor, and what a piece of it costs in a log of a hundred thousand lines. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { auditLines } from "../../../../src/runtime/stores/company/PostgresAuditLog.ts"
import { CompanyId } from "../../../../src/schema/ids.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { piecesOf } from "../../../support/pieces.ts"
import { planOf } from "../../../support/plans.ts"
import { startService, type Service } from "../../../support/service.ts"
import { codesOf } from "./reviewGround.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

interface Line {
  readonly id: string
  readonly action: string
  readonly actor: string
  readonly at: string
}

const audit = (company: string, query = "") => askSettings(service, `/companies/${company}/audit${query}`)
const linesOf = async (company: string, query = ""): Promise<ReadonlyArray<Line>> =>
  (await audit(company, query)).data.content

/** Lines as the years would leave them: many actions, many people, and one rare line among them. */
const fill = (company: string, lines: number) =>
  queryDirectly(
    service.databaseUrl,
    `insert into audit (company_id, actor, action, details, at)
     select $1::uuid, case when n % 10 = 0 then 'service' when n = 5 then 'member:rare' else 'operator' end,
       case when n = 5 then 'rare.thing' when n % 3 = 0 then 'case.opened' else 'vehicle.saved' end,
       '{}'::json, '2026-01-01'::timestamptz + n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [company, lines]
  )

describe("the audit log", () => {
  it("is filtered by action, by actor and by time, and by all of them together", async () => {
    const { id, testKeyId } = await makeCompany(service, { credits: 3 })
    await fill(id, 20)
    const actions = async (query: string) => (await linesOf(id, query)).map(({ action }) => action)
    expect(await actions("?action=wallet.credited")).toEqual(["wallet.credited", "wallet.credited"])
    expect(await actions("?actor=member:rare")).toEqual(["rare.thing"])
    expect((await actions("?actor=service")).length).toBe(2)
    expect(await actions("?actor=service&action=case.opened")).toEqual([])
    const [revoked] = await linesOf(id)
    expect(revoked?.action).toBe("api_key.created")
    expect((await actions("?since=2026-01-01T00:15:00Z&size=100")).length).toBe(6 + 5)
    expect(await actions("?since=2026-01-01T00:15:00Z&actor=service")).toEqual(["vehicle.saved"])
    expect(await actions("?since=2026-01-01T00:15:00Z&until=2026-01-01T00:20:00Z")).toEqual([
      "vehicle.saved",
      "case.opened",
      "vehicle.saved",
      "vehicle.saved",
      "case.opened"
    ])
    expect(await actions("?since=2999-01-01T00:00:00Z")).toEqual([])
    expect(testKeyId).toBeDefined()
  })

  it("goes on from its cursor without a gap and without a line twice, also where many lines have one time", async () => {
    const { id } = await makeCompany(service)
    await service.query(
      `insert into audit (company_id, actor, action, details, at)
       select $1::uuid, 'operator', 'vehicle.saved', '{}'::json, '2026-01-01' from generate_series(1, 25) n`,
      [id]
    )
    const pieces = await piecesOf((query) => audit(id, `?${query}`), 10)
    expect(pieces.map((piece) => piece.length)).toEqual([10, 10, 8])
    expect(new Set(pieces.flat().map((line) => line.id)).size).toBe(28)
    const newest = (await linesOf(id))[0]
    const filtered = await piecesOf((query) => audit(id, `?action=vehicle.saved&${query}`), 24)
    expect(filtered.map((piece) => piece.length)).toEqual([24, 1])
    expect(filtered.flat().map((line) => line.id)).not.toContain(newest?.id)
  })

  it("goes on nowhere from a line of another company", async () => {
    const one = await makeCompany(service)
    const other = await makeCompany(service)
    const theirs = (await linesOf(other.id))[0]?.id
    expect((await audit(one.id, `?cursor=${theirs}`)).data).toEqual({ content: [], next: null })
  })

  it.each([
    ["?page=0", "page"],
    ["?cursor=x", "cursor"],
    ["?cursor=0", "cursor"],
    ["?cursor=9999999999999999999", "cursor"],
    ["?since=yesterday", "since"],
    ["?since=2026-02-30T00:00:00Z", "since"],
    ["?until=tomorrow", "until"],
    [`?action=${"x".repeat(101)}`, "action"],
    ["?size=0", "size"],
    ["?size=101", "size"]
  ])("refuses %s", async (query, field) => {
    const { id } = await makeCompany(service)
    expect(codesOf(await audit(id, query))).toEqual([[field, "VALIDATION_FAILED"]])
  })
})

describe("with a hundred thousand lines, a piece reads its own lines and no others", () => {
  let company: CompanyId
  beforeAll(async () => {
    company = CompanyId.make((await makeCompany(service)).id)
    await fill(company, 100_000)
    await queryDirectly(service.databaseUrl, "vacuum analyze audit")
  })

  const all = { action: null, actor: null, since: null, until: null }
  it.each([
    ["the newest", all],
    ["of an action", { ...all, action: "case.opened" }],
    ["of a rare action at the log's other end", { ...all, action: "rare.thing" }],
    ["of a rare person", { ...all, actor: "member:rare" }],
    ["of a person and an action that never met", { ...all, actor: "service", action: "rare.thing" }],
    ["since a time, of a rare action", { ...all, action: "rare.thing", since: Date.parse("2026-01-01") }],
    ["until a time long ago", { ...all, until: Date.parse("2026-01-02") }],
    [
      "of an hour in the middle",
      { ...all, since: Date.parse("2026-02-01T09:00:00Z"), until: Date.parse("2026-02-01T10:00:00Z") }
    ],
    ["since a time after everything", { ...all, since: Date.parse("2999-01-01") }]
  ])("%s, at the beginning and far inside", async (_, filter) => {
    const [middle] = await service.query<{ readonly id: bigint }>(
      "select id from audit where company_id = $1 order by at offset 50000 limit 1",
      [company]
    )
    for (const after of [null, String(middle?.id)]) {
      const { pages, steps, wasted } = await planOf(
        service,
        auditLines(service.sql, company, filter, { after, size: 20 })
      )
      expect(steps.filter((step) => step.startsWith("Seq Scan") || step.startsWith("Sort"))).toEqual([])
      expect([wasted, pages < 60]).toEqual([0, true])
    }
  })
})
