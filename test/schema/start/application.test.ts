import { describe, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { absent, messages, verdict } from "./judge.ts"

const mira = "FINANCE_SUBMIT_VIA_MIRA"
const judged = (changes: Record<string, unknown>) => verdict(mira, changes)
const { employmentHistory, addressHistory } = startExamples[mira].finance

const job = (employmentType: string) => ({ ...employmentHistory[0], employmentType })
const home = (addressType: string, years: number, months: number) => ({
  ...addressHistory[0],
  addressType,
  timeAtAddressYears: years,
  timeAtAddressMonths: months
})

describe("an application sent with SUBMIT_VIA_MIRA", () => {
  it.each([
    "customer.title",
    "customer.mobile",
    "customer.dateOfBirth",
    "finance.vehiclePrice",
    "finance.loanTerm",
    "finance.drivingLicenceType",
    "finance.employmentHistory",
    "finance.addressHistory"
  ])("is incomplete without %s, and the message says so", (field) => {
    expect(judged({ [field]: absent })).toEqual([`APPLICATION_INCOMPLETE ${field}`])
    expect(messages(mira, { [field]: absent })[0]).toContain(`${field} is required`)
  })

  it.each(["depositAmount", "monthlyBudget", "maritalStatus", "validUkPassport", "lender"])(
    "may leave out %s",
    (name) => {
      expect(judged({ [`finance.${name}`]: absent })).toEqual([])
    }
  )

  it("is incomplete where a required text is blank", () => {
    expect(judged({ "customer.mobile": " ", "customer.dateOfBirth": "" })).toEqual([
      "APPLICATION_INCOMPLETE customer.mobile",
      "APPLICATION_INCOMPLETE customer.dateOfBirth"
    ])
  })

  it("reports generic fields as it does on every journey", () => {
    expect(judged({ "customer.firstName": absent, "vehicle.registration": absent })).toEqual([
      "VALIDATION_FAILED customer.firstName",
      "VALIDATION_FAILED vehicle.registration"
    ])
  })
})

describe("a history entry", () => {
  it("is incomplete in every required member when it is empty", () => {
    expect(judged({ "finance.employmentHistory[1]": {} })).toEqual(
      ["employmentType", "employmentStatus", "employer", "jobTitle", "monthlyIncome"].map(
        (name) => `APPLICATION_INCOMPLETE finance.employmentHistory[1].${name}`
      )
    )
    expect(judged({ "finance.addressHistory": [...addressHistory, {}] })).toEqual(
      ["addressType", "street", "city", "postcode"].map(
        (name) => `APPLICATION_INCOMPLETE finance.addressHistory[2].${name}`
      )
    )
  })

  it("is malformed when it is no object", () => {
    for (const entry of [null, "x", 1, []]) {
      expect(judged({ "finance.employmentHistory[0]": entry })).toEqual([
        "VALIDATION_FAILED finance.employmentHistory[0]"
      ])
    }
  })

  it("refuses the fields of the other history", () => {
    expect(judged({ "finance.employmentHistory[0].city": "Leeds", "finance.addressHistory[1].employer": "x" })).toEqual(
      ["VALIDATION_FAILED finance.employmentHistory[0].city", "VALIDATION_FAILED finance.addressHistory[1].employer"]
    )
  })
})

describe.each(["employmentHistory", "addressHistory"])("%s", (name) => {
  const field = `finance.${name}`
  const entries = (count: number) =>
    name === "employmentHistory"
      ? Array.from({ length: count }, () => job("CURRENT"))
      : Array.from({ length: count }, (_, at) => home(at === 0 ? "CURRENT" : "PREVIOUS", 3, 0))

  it("takes up to 10 entries", () => {
    expect(judged({ [field]: entries(10) })).toEqual([])
    expect(judged({ [field]: entries(11) })).toEqual([`VALIDATION_FAILED ${field}`])
    expect(judged({ [field]: entries(1_000) })).toEqual([`VALIDATION_FAILED ${field}`])
  })

  it("is reported as too long even when an entry is malformed, and only once", () => {
    const lines = judged({
      [field]: [...entries(9), { ...entries(1)[0], extra: 1 }, ...Array.from({ length: 500 }, () => 1)]
    })
    expect(lines).toEqual([`VALIDATION_FAILED ${field}[9].extra`, `VALIDATION_FAILED ${field}`])
  })

  it("must be a list", () => {
    for (const value of [null, {}, "[]", 0]) expect(judged({ [field]: value })).toEqual([`VALIDATION_FAILED ${field}`])
  })
})

describe("employmentHistory", () => {
  const field = "finance.employmentHistory"

  it("must have at least one CURRENT job", () => {
    expect(judged({ [field]: [job("CURRENT")] })).toEqual([])
    expect(judged({ [field]: [job("PREVIOUS"), job("CURRENT"), job("CURRENT")] })).toEqual([])
    expect(judged({ [field]: [job("PREVIOUS")] })).toEqual([`APPLICATION_INCOMPLETE ${field}`])
    expect(judged({ [field]: [] })).toEqual([`APPLICATION_INCOMPLETE ${field}`])
    expect(messages(mira, { [field]: [] })[0]).toContain("CURRENT")
  })

  it("is not reported to lack one while the type of a job is malformed", () => {
    expect(judged({ [field]: [job("PREVIOUS"), job("NOW")] })).toEqual([`VALIDATION_FAILED ${field}[1].employmentType`])
  })
})

describe("addressHistory", () => {
  const field = "finance.addressHistory"

  it("must have exactly one CURRENT address", () => {
    expect(judged({ [field]: [home("PREVIOUS", 3, 0)] })).toEqual([`APPLICATION_INCOMPLETE ${field}`])
    expect(judged({ [field]: [home("CURRENT", 3, 0), home("CURRENT", 3, 0)] })).toEqual([
      `APPLICATION_INCOMPLETE ${field}`
    ])
    expect(judged({ [field]: [home("PREVIOUS", 3, 0), home("CURRENT", 0, 0)] })).toEqual([])
  })

  it("must cover at least 36 months in total", () => {
    const months = (...homes: ReadonlyArray<readonly [years: number, months: number]>) =>
      judged({ [field]: homes.map(([years, rest], at) => home(at === 0 ? "CURRENT" : "PREVIOUS", years, rest)) })
    expect(months([3, 0])).toEqual([])
    expect(months([2, 11], [0, 1])).toEqual([])
    expect(months([0, 11], [0, 11], [0, 11], [0, 3])).toEqual([])
    expect(months([2, 11])).toEqual([`APPLICATION_INCOMPLETE ${field}`])
    expect(months([0, 11], [0, 11], [0, 11], [0, 2])).toEqual([`APPLICATION_INCOMPLETE ${field}`])
    expect(months([2, 12])).toEqual([`VALIDATION_FAILED ${field}[0].timeAtAddressMonths`])
  })

  it("says in the message how many months it covers", () => {
    expect(messages(mira, { [field]: [home("CURRENT", 2, 11)] })).toEqual([
      "finance.addressHistory must cover at least 36 months in total, and covers 35"
    ])
  })

  it("breaks both rules when empty", () => {
    expect(judged({ [field]: [] })).toEqual([`APPLICATION_INCOMPLETE ${field}`, `APPLICATION_INCOMPLETE ${field}`])
  })
})
