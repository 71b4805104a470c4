import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { panelApplication } from "../../../../src/actors/journey/rules/panelApplication.ts"
import { decodeStart } from "../../../../src/schema/start/decodeStart.ts"
import { startBody } from "../../../support/companies.ts"

const facts = { companyKind: "BROKER", now: Date.UTC(2026, 1, 1), transport: "JSON", photo: null } as const

/** What a start of this body keeps, as it comes out of the database. */
const recordOf = (change: (body: ReturnType<typeof startBody>) => void = () => {}): unknown => {
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  change(body)
  return JSON.parse(JSON.stringify(Result.getOrThrow(decodeStart(body, facts))))
}
const mapped = (record: unknown) => Result.getOrThrow(panelApplication(record))

const job = (employmentType: string, employer: string) => ({
  employmentType,
  employmentStatus: "FULL_TIME_EMPLOYMENT",
  employer,
  jobTitle: "Clerk",
  monthlyIncome: 2000
})
const home = (addressType: string, street: string, timeAtAddressYears: number) => ({
  addressType,
  street,
  city: "Leeds",
  postcode: "LS1 1AA",
  timeAtAddressYears
})

describe("the application for the panel", () => {
  it("has the current jobs and the current address first, and the others in their order", () => {
    const { finance } = mapped(
      recordOf((body) => {
        body.finance.employmentHistory = [
          job("PREVIOUS", "A"),
          job("CURRENT", "B"),
          job("PREVIOUS", "C"),
          job("CURRENT", "D")
        ]
        body.finance.addressHistory = [home("PREVIOUS", "X", 1), home("PREVIOUS", "Y", 2), home("CURRENT", "Z", 3)]
      })
    )
    expect(finance.employmentHistory.map(({ employer }) => employer)).toEqual(["B", "D", "A", "C"])
    expect(finance.addressHistory.map(({ street }) => street)).toEqual(["Z", "X", "Y"])
  })

  it("says everything else of applicant, vehicle and finance as the start said it", () => {
    const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
    const application = mapped(recordOf())
    expect(application.customer).toEqual(body.customer)
    expect(application.externalCompanyName).toBe(body.externalCompanyName)
    const { inventoryVehicleId: _, ...car } = body.vehicle
    expect(application.vehicle).toEqual(car)
    const { addressHistory: _1, employmentHistory: _2, panelSubmission: _3, ...finance } = body.finance
    expect(application.finance).toMatchObject(finance)
  })

  it("fills in what the start may leave out", () => {
    const application = mapped(
      recordOf((body) => {
        delete body.externalCompanyName
        delete body.finance.depositAmount
        body.finance.addressHistory = [home("CURRENT", "Z", 3)]
      })
    )
    expect(application.finance.depositAmount).toBe(0)
    expect(application.finance.addressHistory[0]).toMatchObject({ timeAtAddressYears: 3, timeAtAddressMonths: 0 })
    expect(application).not.toHaveProperty("externalCompanyName")
  })

  it("leaves out what only the service and the company's team need", () => {
    const application = mapped(
      recordOf((body) => {
        body.delivery.notes = "note-canary"
        body.externalReference = "reference-canary"
        body.vehicle.inventoryVehicleId = "stock-canary"
        body.vehicle.dealerDirectoryId = "directory-canary"
      })
    )
    expect(JSON.stringify(application)).not.toMatch(/canary|panelSubmission|shape/)
  })

  it("is none when what is kept is no such application, and then quotes nothing of it", () => {
    const damaged: ReadonlyArray<unknown> = [
      null,
      undefined,
      "text",
      {},
      { ...startBody("CASH_SALE"), shape: "CASH_SALE" },
      startBody("FINANCE_ALREADY_SUBMITTED"),
      { ...(recordOf() as object), customer: { firstName: "canary" } },
      withHistory("employmentHistory", [job("PREVIOUS", "canary")]),
      withHistory("employmentHistory", []),
      withHistory("addressHistory", [home("PREVIOUS", "canary", 3)])
    ]
    for (const record of damaged) {
      const result = panelApplication(record)
      expect(Result.isFailure(result)).toBe(true)
      expect(JSON.stringify(result)).not.toContain("canary")
    }
  })
})

const withHistory = (name: string, entries: ReadonlyArray<object>) => {
  const record = recordOf() as { readonly finance: object }
  return { ...record, finance: { ...record.finance, [name]: entries } }
}
