import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { insertAuditLines, markSold } from "../../../../src/runtime/stores/journey/journeyParts.ts"
import { stockListed } from "../../../../src/runtime/stores/company/PostgresStock.ts"
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

const save = (company: string, vehicle: string, body: unknown) =>
  askSettings(service, `/companies/${company}/vehicles/${encodeURIComponent(vehicle)}`, { method: "PUT", body })
const stockOf = async (company: string) => (await askSettings(service, `/companies/${company}/vehicles`)).data

/** Nobody has asked for these commits. */
const noLines = `select * from (
  values (null::uuid, null::text, null::text, null::text, null::text, null::timestamptz, null::text)
) t (journey_id, message_id, actor, action, details, at, ip_address) where false`
const noJourneys = "select null::uuid as id, null::uuid as company_id"

/** The statement's part, as a commit of several completed journeys runs it. */
const sell = (...sales: ReadonlyArray<readonly [journey: string, company: string, vehicle: string]>) =>
  service.query<{ readonly journey_id: string; readonly outcome: string }>(
    `with sold as (
      select journey_id, company_id, vehicle_id, now() as at
      from unnest($1::text::uuid[], $2::text::uuid[], $3::text::text[]) as t (journey_id, company_id, vehicle_id)
    ), ${markSold("sold")}, ${insertAuditLines(noLines, noJourneys)}
    select journey_id, outcome from sale order by journey_id`,
    [0, 1, 2].map((column) => `{${sales.map((sale) => sale[column]).join()}}`)
  )

const journey = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, "0")}`

describe("the stock", () => {
  it("is empty at first, takes vehicles and changes them, each change written down", async () => {
    await save((await makeCompany(service)).id, "stock 1/ä", { status: "IN_STOCK" })
    const { id } = await makeCompany(service)
    expect(await stockOf(id)).toEqual({ content: [], next: null })
    const saved = await save(id, "stock 1/ä", { status: "IN_STOCK" })
    expect([saved.status, saved.data]).toEqual([
      200,
      { id: "stock 1/ä", status: "IN_STOCK", soldBy: null, changedAt: expect.any(String) }
    ])
    expect((await save(id, "stock 1/ä", { status: "SOLD" })).data.status).toBe("SOLD")
    expect((await save(id, " stock 1/ä ", { status: "SOLD" })).data).toMatchObject({ id: "stock 1/ä", status: "SOLD" })
    expect((await stockOf(id)).content.map((one: { readonly id: string }) => one.id)).toEqual(["stock 1/ä"])
    const audit = (await askSettings(service, `/companies/${id}/audit`)).data.content
    expect(audit.filter((one: { readonly action: string }) => one.action === "vehicle.saved").length).toBe(2)
    expect((await stockOf((await makeCompany(service)).id)).content).toEqual([])
  })

  it.each([
    ["stock-1", {}, [["status", "VALIDATION_FAILED"]]],
    ["stock-1", { status: "RESERVED" }, [["status", "VALIDATION_FAILED"]]],
    ["stock-1", { status: "SOLD", soldBy: journey(1) }, [["soldBy", "VALIDATION_FAILED"]]],
    ["x".repeat(101), { status: "SOLD" }, [["vehicleId", "VALIDATION_FAILED"]]],
    ["\u0007", { status: "SOLD" }, [["vehicleId", "VALIDATION_FAILED"]]]
  ])("refuses the vehicle %j with %j", async (vehicle, body, codes) => {
    const { id } = await makeCompany(service)
    expect(codesOf(await save(id, vehicle, body))).toEqual(codes)
    expect((await stockOf(id)).content).toEqual([])
  })
})

const list = (company: string, query: string) => askSettings(service, `/companies/${company}/vehicles?${query}`)
const idsOf = async (company: string, query: string): Promise<ReadonlyArray<string>> =>
  (await list(company, query)).data.content.map((one: { readonly id: string }) => one.id)

describe("the list of the stock", () => {
  it("is searched by what an id begins with, in any letters, and filtered by status", async () => {
    const { id } = await makeCompany(service)
    for (const vehicle of ["Stock-1", "stock-2", "STOCK-10", "other", "st%ck", "élan-1"]) {
      await save(id, vehicle, { status: vehicle === "stock-2" ? "SOLD" : "IN_STOCK" })
    }
    expect(await idsOf(id, "search=STOCK")).toEqual(["Stock-1", "STOCK-10", "stock-2"])
    expect(await idsOf(id, "search=stock-1")).toEqual(["Stock-1", "STOCK-10"])
    expect(await idsOf(id, "search=st%25")).toEqual(["st%ck"])
    expect(await idsOf(id, "search=%C3%A9")).toEqual(["élan-1"])
    expect(await idsOf(id, "search=tock")).toEqual([])
    expect(await idsOf(id, "status=SOLD")).toEqual(["stock-2"])
    expect(await idsOf(id, "search=stock&status=SOLD")).toEqual(["stock-2"])
    expect(await idsOf((await makeCompany(service)).id, "search=stock")).toEqual([])
  })

  it("goes on from its cursor, also when a vehicle that was shown changes meanwhile", async () => {
    const { id } = await makeCompany(service)
    for (let at = 0; at < 9; at++) await save(id, `stock ${at} ä`, { status: "IN_STOCK" })
    const first = (await list(id, "size=4")).data
    expect(first.content.map((one: { readonly id: string }) => one.id)).toEqual([8, 7, 6, 5].map((n) => `stock ${n} ä`))
    await save(id, "stock 5 ä", { status: "SOLD" })
    expect(await idsOf(id, `size=4&cursor=${first.next}`)).toEqual([4, 3, 2, 1].map((n) => `stock ${n} ä`))
    const searched = await piecesOf((query) => list(id, `search=stock&${query}`), 4)
    expect(searched.map((piece) => piece.map((one) => one.id))).toEqual(
      [[0, 1, 2, 3], [4, 5, 6, 7], [8]].map((piece) => piece.map((n) => `stock ${n} ä`))
    )
  })

  it.each([
    ["page=1", "page"],
    ["cursor=abc", "cursor"],
    [`cursor=${Buffer.from("2026-13-01T00:00:00.000000Z x").toString("base64url")}`, "cursor"],
    [`cursor=${"A".repeat(700)}`, "cursor"],
    ["status=sold", "status"],
    [`search=${"x".repeat(101)}`, "search"],
    ["search=%07", "search"]
  ])("refuses %s", async (query, field) => {
    const { id } = await makeCompany(service)
    expect(codesOf(await list(id, query))).toEqual([[field, "VALIDATION_FAILED"]])
  })

  it("reads a piece of a stock of fifty thousand vehicles by an index, wherever the piece begins", async () => {
    const company = CompanyId.make((await makeCompany(service)).id)
    await queryDirectly(
      service.databaseUrl,
      `insert into vehicles (company_id, id, status, changed_at)
       select $1::uuid, 'stock-' || n, case when n = 7 then 'SOLD' else 'IN_STOCK' end, now() - n * interval '1 second'
       from generate_series(1, 50000) n`,
      [company]
    )
    await queryDirectly(service.databaseUrl, "vacuum analyze vehicles")
    const [middle] = await service.query<{ readonly at: string }>(
      `select to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from vehicles where company_id = $1 and id = 'stock-25000'`,
      [company]
    )
    for (const filter of [
      { search: null, status: null },
      { search: null, status: "SOLD" as const },
      { search: "STOCK-4", status: null },
      { search: "stock", status: "SOLD" as const }
    ]) {
      for (const after of [null, { id: "stock-25000", changedAt: middle?.at ?? "" }]) {
        const plan = await planOf(service, stockListed(service.sql, company, filter, { after, size: 20 }))
        const slow = plan.steps.filter((step) => step.startsWith("Seq Scan"))
        expect([filter, after, slow, plan.pages < 1000]).toEqual([filter, after, [], true])
      }
    }
  })
})

describe("a completed handover", () => {
  it("marks its vehicle sold once: put back into stock, it is not sold again by the same journey", async () => {
    const { id } = await makeCompany(service)
    await save(id, "stock-1", { status: "IN_STOCK" })
    expect(await sell([journey(11), id, "stock-1"])).toEqual([{ journey_id: journey(11), outcome: "MARKED" }])
    expect((await stockOf(id)).content[0]).toMatchObject({ status: "SOLD", soldBy: journey(11) })
    await save(id, "stock-1", { status: "IN_STOCK" })
    expect(await sell([journey(11), id, "stock-1"])).toEqual([])
    expect((await stockOf(id)).content[0]).toMatchObject({ status: "IN_STOCK", soldBy: null })
    const line = (await askSettings(service, `/companies/${id}/audit`)).data.content.find(
      (one: { readonly action: string }) => one.action === "vehicle.sold"
    )
    expect(line).toMatchObject({ actor: "service", details: { vehicleId: "stock-1", journeyId: journey(11) } })
  })

  it("leaves a note where the stock does not know the vehicle, or another journey was first", async () => {
    const { id } = await makeCompany(service)
    const [other, bystander] = [await makeCompany(service), await makeCompany(service)]
    for (const company of [id, bystander.id]) await save(company, "stock-1", { status: "IN_STOCK" })
    const sales = await sell(
      [journey(21), id, "stock-1"],
      [journey(22), id, "stock-1"],
      [journey(23), id, "stock-2"],
      [journey(24), other.id, "stock-1"]
    )
    expect(sales.map(({ outcome }) => outcome)).toEqual(["MARKED", "ALREADY_SOLD", "UNKNOWN", "UNKNOWN"])
    expect((await stockOf(id)).content).toMatchObject([{ id: "stock-1", status: "SOLD", soldBy: journey(21) }])
    expect((await stockOf(bystander.id)).content).toMatchObject([{ id: "stock-1", status: "IN_STOCK", soldBy: null }])
  })

  it("is sold by one of many that complete at once, in commits of their own", async () => {
    const { id } = await makeCompany(service)
    await save(id, "stock-1", { status: "IN_STOCK" })
    const sales = await Promise.all(Array.from({ length: 20 }, (_, at) => sell([journey(100 + at), id, "stock-1"])))
    const outcomes = sales.flat().map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === "MARKED").length).toBe(1)
    expect(outcomes.filter((outcome) => outcome === "ALREADY_SOLD").length).toBe(19)
  })
})
