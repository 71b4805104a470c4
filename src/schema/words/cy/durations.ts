/** Days and minutes as several sentences in Welsh say them. A sentence that wants another form has its own. */
import { welshPlural } from "../locale/plural.ts"

export const welshDays = (days: number): string =>
  welshPlural(days, {
    zero: `${days} diwrnod`,
    one: "un diwrnod",
    two: `${days} ddiwrnod`,
    few: `${days} diwrnod`,
    many: `${days} diwrnod`,
    other: `${days} diwrnod`
  })

/** After "fwy na" and "llai na". */
export const welshMinutes = (minutes: number): string =>
  welshPlural(minutes, {
    zero: `${minutes} munud`,
    one: "munud",
    two: `${minutes} funud`,
    few: `${minutes} munud`,
    many: `${minutes} munud`,
    other: `${minutes} munud`
  })
