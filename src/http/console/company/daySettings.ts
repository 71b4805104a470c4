/** The settings of a company that are numbers of days, for its form and for the page of those who may not change them. */
import { CompanyPatch } from "../../../schema/company/Company.ts"
import { daysOf } from "../../../schema/model.ts"

/** The settings that are numbers of days, as the model describes them. */
export type DaySetting = {
  readonly [Name in keyof CompanyPatch]-?: CompanyPatch[Name] extends number | undefined ? Name : never
}[keyof CompanyPatch]

const isDaySetting = (name: string): name is DaySetting => daysOf(patched[name as keyof CompanyPatch]) !== undefined

const patched = CompanyPatch.fields

export const daySettings = Object.keys(patched)
  .filter(isDaySetting)
  .flatMap((name) => {
    const days = daysOf(patched[name])
    return days === undefined ? [] : [{ name, ...days }]
  })
