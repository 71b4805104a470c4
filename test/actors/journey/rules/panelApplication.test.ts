import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { panelApplication } from "../../../../src/actors/journey/rules/panelApplication.ts"
import { onlyAllowed } from "../../../../src/schema/start/allowList.ts"
import { decodeStart } from "../../../../src/schema/start/decodeStart.ts"
import { startBodies } from "../../../../src/schema/start/startBodies.ts"
import { startBody } from "../../../support/companies.ts"

const facts = {
  companyKind: "BROKER",
  isDealerKnown: true,
  now: Date.UTC(2026, 1, 1),
  transport: "JSON",
  photo: null
} as const

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

/** Every field that a start may have, each with a value of its own. */
const everyField = (body: ReturnType<typeof startBody>): void => {
  Object.assign(body, { externalReference: "kept-1", externalCompanyName: "sent-1" })
  Object.assign(body.customer, { firstName: "sent-2", lastName: "sent-3", email: "sent-4@example.com" })
  Object.assign(body.customer, { mobile: "0770090005", title: "DR", dateOfBirth: "1980-01-06" })
  body.vehicle = { registration: "sent-7", make: "sent-8", model: "sent-9", year: 2010, colour: "sent-11" }
  Object.assign(body.vehicle, { inventoryVehicleId: "kept-2", dealerDirectoryId: "kept-3" })
  body.delivery = { type: "HOME_DELIVERY", notes: "kept-4" }
  body.finance = {
    panelSubmission: "SUBMIT_VIA_MIRA",
    lender: "sent-12",
    vehiclePrice: 13,
    loanTerm: 14,
    depositAmount: 15,
    monthlyBudget: 16,
    maritalStatus: "ENGAGED",
    drivingLicenceType: "CBT",
    validUkPassport: false,
    employmentHistory: [everyJob],
    addressHistory: [everyHome],
    consents: everyConsent
  }
}

const everyJob = {
  employmentType: "CURRENT",
  employmentStatus: "CARER",
  employer: "sent-17",
  jobTitle: "sent-18",
  monthlyIncome: 19,
  timeAtEmployerYears: 20,
  timeAtEmployerMonths: 1
}
const everyHome = {
  addressType: "CURRENT",
  street: "sent-21",
  city: "sent-22",
  postcode: "sent-23",
  buildingNumber: "sent-24",
  buildingName: "sent-25",
  subBuildingName: "sent-26",
  organisationName: "sent-27",
  county: "sent-28",
  timeAtAddressYears: 29,
  timeAtAddressMonths: 10,
  residentialStatus: "OTHER"
}
const everyConsent = {
  infoAccuracy: true,
  miraTerms: true,
  providerTerms: true,
  dataSharing: true,
  creditCheck: true,
  identityVerification: true,
  providerName: "sent-30"
}

/** What leaves of it, byte for byte. */
const everythingSent = `{"externalCompanyName":"sent-1",\
"customer":{"firstName":"sent-2","lastName":"sent-3","email":"sent-4@example.com","mobile":"0770090005","title":"DR","dateOfBirth":"1980-01-06"},\
"vehicle":{"registration":"sent-7","make":"sent-8","model":"sent-9","year":2010,"colour":"sent-11"},\
"finance":{"lender":"sent-12","vehiclePrice":13,"loanTerm":14,"depositAmount":15,"monthlyBudget":16,"maritalStatus":"ENGAGED",\
"validUkPassport":false,"drivingLicenceType":"CBT",\
"consents":${JSON.stringify(everyConsent)},\
"employmentHistory":[${JSON.stringify(everyJob)}],\
"addressHistory":[${JSON.stringify(everyHome)}]}}`

describe("what leaves for the lender", () => {
  it("is exactly this document when a start has every field", () => {
    expect(JSON.stringify(mapped(recordOf(everyField)))).toBe(everythingSent)
  })

  it("fills every field of the start's schema in that test", () => {
    const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
    everyField(body)
    const { fields } = startBodies.FINANCE_SUBMIT_VIA_MIRA
    expect(missingIn(body, fields)).toEqual([])
    expect(missingIn(body.customer, fields.customer.fields)).toEqual([])
    // A dealer is named by one of two ids, never by both (V7).
    expect(missingIn(body.vehicle, fields.vehicle.fields)).toEqual(["dealerCompanyId"])
    expect(missingIn(body.finance, fields.finance.fields)).toEqual([])
    expect(missingIn(everyConsent, fields.finance.fields.consents.fields)).toEqual([])
  })
})

const missingIn = (value: object, fields: object): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => !Object.hasOwn(value, name))

describe("an allow-list", () => {
  interface Known {
    readonly kept: string
    readonly sent: number
    readonly inner: { readonly sent: number }
    readonly entries: ReadonlyArray<{ readonly sent: number }>
  }
  const list = { kept: false, sent: true, inner: { sent: true }, entries: { sent: true } } as const
  const grown = {
    kept: "canary",
    sent: 1,
    added: "canary",
    inner: { sent: 2, added: "canary" },
    entries: [{ sent: 3, added: "canary" }]
  }
  const value: Known = grown

  it("copies only the members that it names, at every depth, in its own order", () => {
    expect(JSON.stringify(onlyAllowed(value, list))).toBe('{"sent":1,"inner":{"sent":2},"entries":[{"sent":3}]}')
  })
})

const withHistory = (name: string, entries: ReadonlyArray<object>) => {
  const record = recordOf() as { readonly finance: object }
  return { ...record, finance: { ...record.finance, [name]: entries } }
}
