/** The forms of the company's page against the model: nothing that somebody of the company can set is without a field. */
import { describe, expect, it } from "vitest"
import { settingsGroups } from "../../../src/http/console/company/companyForms.ts"
import type { SettingsGroup } from "../../../src/http/console/company/settingsGroup.ts"
import { daySettings } from "../../../src/http/console/company/daySettings.ts"
import { Company, CompanyPatch, CompanyResource } from "../../../src/schema/company/Company.ts"
import { exampleOf } from "../../../src/schema/model.ts"

const company = exampleOf(CompanyResource)
const groups: ReadonlyArray<SettingsGroup> = Object.values(settingsGroups)
const fields = groups.flatMap((group) => group.fields(company))

describe("the forms of a company", () => {
  it("have a field for every setting that a PATCH takes, but for the switch that is the operator's", () => {
    const shown = new Set(fields.map(({ name }) => name.split(".")[0]))
    expect(Object.keys(CompanyPatch.fields).filter((name) => !shown.has(name))).toEqual(["active"])
  })

  it("become bodies of settings alone, each of one group", () => {
    const set = groups.flatMap((group) => Object.keys(group.body(new URLSearchParams())))
    expect(set.toSorted()).toEqual([...new Set(set)].toSorted())
    expect(set.filter((name) => !Object.hasOwn(CompanyPatch.fields, name))).toEqual([])
  })

  it("ask for every number of days within its bounds, with words of its own", () => {
    const numbers = Object.entries(company).flatMap(([name, value]) => (typeof value === "number" ? [name] : []))
    expect(daySettings.map(({ name }) => name)).toEqual(numbers)
    expect(new Set(daySettings.map(({ label }) => label)).size).toBe(numbers.length)
    for (const { least, most, name } of daySettings) {
      expect(company[name]).toBeGreaterThanOrEqual(least)
      expect(company[name]).toBeLessThanOrEqual(most)
    }
  })
})

describe("the model of a company", () => {
  it("shows every setting that a PATCH takes", () => {
    expect(Object.keys(CompanyPatch.fields).filter((name) => !Object.hasOwn(Company.shown.fields, name))).toEqual([])
  })
})
