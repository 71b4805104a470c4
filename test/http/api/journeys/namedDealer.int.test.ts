/** The dealer that a broker names in a live start must be a dealer of this service (decision V7). */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleId } from "../../../../src/schema/exampleId.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let broker: TestCompany
let dealer: TestCompany

beforeAll(async () => {
  service = await startService()
  broker = await makeCompany(service, {
    kind: "BROKER",
    credits: 10,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
  dealer = await makeCompany(service)
})
afterAll(() => service.stop())

const naming = (dealerCompanyId: string, more: object = {}) => {
  const body = startBody("IDENTITY_DELIVERY")
  return { ...body, ...more, vehicle: { ...body.vehicle, dealerCompanyId } }
}

const journeys = async (): Promise<number> => {
  const [row] = await service.query<{ readonly total: number }>("select count(*)::int as total from journeys")
  return row?.total ?? 0
}

describe("the dealer that a broker's live start names", () => {
  it("is a dealer of this service, however its id is written", async () => {
    for (const id of [dealer.id, dealer.id.toUpperCase(), ` ${dealer.id} `]) {
      expect((await start(service, broker.liveKey, naming(id))).status).toBe(202)
    }
  })

  it("is refused alike when nobody has the id, when a broker has it, and when the dealer was turned off", async () => {
    const off = await makeCompany(service)
    await askSettings(service, `/companies/${off.id}`, { method: "PATCH", body: { active: false } })
    const before = await journeys()
    const answers = await Promise.all(
      [exampleId("company", 999), broker.id, off.id].map((id) => start(service, broker.liveKey, naming(id)))
    )
    for (const { data, errors, status } of answers) {
      expect({ data, errors, status }).toEqual({
        status: 400,
        data: null,
        errors: [
          {
            field: "vehicle.dealerCompanyId",
            code: "VALIDATION_FAILED",
            message: "vehicle.dealerCompanyId must be the id of a dealer of this service"
          }
        ]
      })
    }
    expect(await journeys()).toBe(before)
  })

  it("is judged with everything else that is wrong with the body, before consents, credit and configuration", async () => {
    const { errors } = await start(service, broker.liveKey, naming(broker.id, { delivery: { type: "NOWHERE" } }))
    expect(errors?.map(({ field }) => field)).toEqual(["delivery.type", "vehicle.dealerCompanyId"])
    const poor = await makeCompany(service, { kind: "BROKER" })
    const refused = await start(service, poor.liveKey, naming(broker.id))
    expect(refused.errors?.map(({ field }) => field)).toEqual(["vehicle.dealerCompanyId"])
  })

  it("may have been turned off since, when the same start comes again", async () => {
    const leaving = await makeCompany(service)
    const body = naming(leaving.id)
    const first = await start(service, broker.liveKey, body, "dealer-leaves-1")
    await askSettings(service, `/companies/${leaving.id}`, { method: "PATCH", body: { active: false } })
    const again = await start(service, broker.liveKey, body, "dealer-leaves-1")
    expect([first.status, again.status]).toEqual([202, 200])
    expect(again.data.id).toBe(first.data.id)
  })

  it.each(["FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA", "IDENTITY_DELIVERY", "CASH_SALE"] as const)(
    "is judged alike whatever is started: %s",
    async (shape) => {
      const body = startBody(shape)
      body.vehicle.dealerCompanyId = broker.id
      const { errors, status } = await start(service, broker.liveKey, body)
      expect([status, errors?.map(({ code, field }) => [field, code])]).toEqual([
        400,
        [["vehicle.dealerCompanyId", "VALIDATION_FAILED"]]
      ])
    }
  )

  it("is judged alike in a start that comes with a photo, or as multipart without one", async () => {
    for (const shape of ["FINANCE_SALE", "IDENTITY_DELIVERY"] as const) {
      const body = startBody(shape)
      body.vehicle.dealerCompanyId = broker.id
      const parts = [jsonPart(body), ...(shape === "FINANCE_SALE" ? [photoPart()] : [])]
      const refused = await sendForm(service, broker.liveKey, { parts })
      expect([refused.status, refused.errors?.map(({ code, field }) => [field, code])]).toEqual([
        400,
        [["vehicle.dealerCompanyId", "VALIDATION_FAILED"]]
      ])
    }
  })

  it("is told with the same words when its id has no form, so that nobody learns who is on the service", async () => {
    const strange = [
      "x",
      `\t${dealer.id}`,
      `${dealer.id}0`,
      `{${dealer.id}}`,
      dealer.id.replaceAll("-", ""),
      7,
      null,
      [dealer.id]
    ]
    for (const id of strange) {
      const { errors, status } = await start(service, broker.liveKey, naming(id as string))
      expect(status).toBe(400)
      expect(errors?.map(({ field }) => field)).toEqual(["vehicle.dealerCompanyId"])
    }
    const { errors } = await start(service, broker.liveKey, naming("x"))
    const unknown = await start(service, broker.liveKey, naming(exampleId("company", 999)))
    expect(errors).toEqual(unknown.errors)
  })

  it("is never the dealer's own to name: a dealer's key may send no dealer, also its own", async () => {
    const { errors } = await start(service, dealer.liveKey, naming(dealer.id))
    expect(errors?.map(({ field }) => field)).toEqual(["vehicle.dealerCompanyId"])
  })

  it("may be anybody with a test key", async () => {
    expect((await start(service, broker.testKey, naming(exampleId("company", 999)))).status).toBe(202)
  })
})
