import { describe, expect, it } from "vitest"
import type { Shape } from "../../../src/schema/journey/statuses.ts"
import { absent, accepted, verdict } from "./judge.ts"

const mira = "FINANCE_SUBMIT_VIA_MIRA"

describe.each<{ shape: Shape; field: string; least: number; most: number }>([
  { shape: "CASH_SALE", field: "vehicle.year", least: 1900, most: 2100 },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "finance.loanTerm", least: 12, most: 120 },
  { shape: mira, field: "finance.loanTerm", least: 12, most: 120 },
  { shape: mira, field: "finance.employmentHistory[0].timeAtEmployerYears", least: 0, most: 50 },
  { shape: mira, field: "finance.employmentHistory[0].timeAtEmployerMonths", least: 0, most: 11 },
  { shape: mira, field: "finance.addressHistory[1].timeAtAddressYears", least: 2, most: 100 },
  { shape: mira, field: "finance.addressHistory[1].timeAtAddressMonths", least: 0, most: 11 }
])("$field of $shape", ({ shape, field, least, most }) => {
  const put = (value: unknown) => verdict(shape, { [field]: value })
  // The time at the second address has no least of its own: below 2 years the history is too short.
  const floor = field.endsWith("timeAtAddressYears") ? 0 : least

  it(`takes whole numbers from ${least} to ${most}`, () => {
    expect(put(least)).toEqual([])
    expect(put(most)).toEqual([])
    expect(put(floor - 1)).toEqual([`VALIDATION_FAILED ${field}`])
    expect(put(most + 1)).toEqual([`VALIDATION_FAILED ${field}`])
  })

  it("refuses fractions, other types, and numbers that no double can hold", () => {
    for (const value of [least + 0.5, String(least), true, null, [least], -0.5, 9_007_199_254_740_992, 1e308]) {
      expect(put(value), String(value)).toEqual([`VALIDATION_FAILED ${field}`])
    }
  })
})

describe.each<{ shape: Shape; field: string; zero: boolean }>([
  { shape: mira, field: "finance.vehiclePrice", zero: false },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "finance.vehiclePrice", zero: false },
  { shape: mira, field: "finance.employmentHistory[0].monthlyIncome", zero: false },
  { shape: mira, field: "finance.depositAmount", zero: true },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "finance.depositAmount", zero: true },
  { shape: mira, field: "finance.monthlyBudget", zero: true },
  { shape: "FINANCE_ALREADY_SUBMITTED", field: "finance.monthlyBudget", zero: true }
])("$field of $shape", ({ shape, field, zero }) => {
  const put = (value: unknown) => verdict(shape, { [field]: value })
  const refused = [`VALIDATION_FAILED ${field}`]

  it(`takes amounts ${zero ? "of 0 or more" : "above 0"} with at most two decimals`, () => {
    for (const value of [0.01, 0.07, 1.1, 4.35, 1234.56, 8_388_608.03, 99_999_999.98, 99_999_999.99]) {
      expect(put(value), String(value)).toEqual([])
    }
    expect(put(0)).toEqual(zero ? [] : refused)
    for (const value of [-0.01, -1, 0.001, 12_000.005, 1.999, 99_999_999.991, 100_000_000, 1e308]) {
      expect(put(value), String(value)).toEqual(refused)
    }
  })

  it("refuses everything but numbers", () => {
    for (const value of ["12000", "1e3", "", true, null, {}, [1]]) {
      expect(put(value), JSON.stringify(value)).toEqual(refused)
    }
  })
})

describe("numbers that are left out", () => {
  it("count as 0 where the specification gives that default", () => {
    const request = accepted(mira, {
      "finance.depositAmount": absent,
      "finance.employmentHistory[0].timeAtEmployerYears": absent,
      "finance.employmentHistory[0].timeAtEmployerMonths": absent,
      "finance.addressHistory[0].timeAtAddressMonths": absent,
      "finance.addressHistory[1].timeAtAddressYears": 3
    })
    expect(request).toMatchObject({
      finance: {
        depositAmount: 0,
        employmentHistory: [{ timeAtEmployerYears: 0, timeAtEmployerMonths: 0 }, {}],
        addressHistory: [{ timeAtAddressMonths: 0 }, { timeAtAddressMonths: 0 }]
      }
    })
  })

  it("stay out where the specification gives no default", () => {
    const request = accepted(mira, { "finance.monthlyBudget": absent, "vehicle.year": absent })
    expect(request).not.toHaveProperty("finance.monthlyBudget")
    expect(request).not.toHaveProperty("vehicle.year")
  })
})

describe("a deposit above the price", () => {
  it("is accepted, because no rule forbids it", () => {
    expect(verdict(mira, { "finance.depositAmount": 20_000 })).toEqual([])
  })
})
