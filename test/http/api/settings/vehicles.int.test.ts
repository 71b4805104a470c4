import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { markSold } from "../../../../src/runtime/stores/journeyParts.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
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

/** The statement's part, as a commit of several completed journeys runs it. */
const sell = (...sales: ReadonlyArray<readonly [journey: string, company: string, vehicle: string]>) =>
  service.query<{ readonly journey_id: string; readonly outcome: string }>(
    `with sold as (
      select journey_id, company_id, vehicle_id, now() as at
      from unnest($1::text::uuid[], $2::text::uuid[], $3::text::text[]) as t (journey_id, company_id, vehicle_id)
    ), ${markSold("sold")}
    select journey_id, outcome from sale order by journey_id`,
    [0, 1, 2].map((column) => `{${sales.map((sale) => sale[column]).join()}}`)
  )

const journey = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, "0")}`

describe("the stock", () => {
  it("is empty at first, takes vehicles and changes them, each change written down", async () => {
    const { id } = await makeCompany(service)
    expect(await stockOf(id)).toMatchObject({ content: [], totalElements: 0 })
    const saved = await save(id, "stock 1/ä", { status: "IN_STOCK" })
    expect([saved.status, saved.data]).toEqual([
      200,
      { id: "stock 1/ä", status: "IN_STOCK", soldBy: null, changedAt: expect.any(String) }
    ])
    expect((await save(id, "stock 1/ä", { status: "SOLD" })).data.status).toBe("SOLD")
    expect((await save(id, " stock 1/ä ", { status: "SOLD" })).data.changedAt).toBeDefined()
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
    const other = await makeCompany(service)
    await save(id, "stock-1", { status: "IN_STOCK" })
    const sales = await sell(
      [journey(21), id, "stock-1"],
      [journey(22), id, "stock-1"],
      [journey(23), id, "stock-2"],
      [journey(24), other.id, "stock-1"]
    )
    expect(sales.map(({ outcome }) => outcome)).toEqual(["MARKED", "ALREADY_SOLD", "UNKNOWN", "UNKNOWN"])
    expect((await stockOf(id)).content).toMatchObject([{ id: "stock-1", status: "SOLD", soldBy: journey(21) }])
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
