/** The days that a list of the console is asked about, as two fields of its filters: the first and the last, by the calendar of UTC. */
import { Duration } from "effect"
import { isCalendarDate, millisOf } from "../../../schema/decoding/dates.ts"
import { timestamp } from "../../../schema/moment.ts"
import type { FormField } from "./forms.ts"

/** As they stand in the address; empty is no bound. */
export interface Days {
  readonly since: string
  readonly until: string
}

export const daysIn = (asked: (name: "since" | "until") => string): Days => ({
  since: asked("since").trim(),
  until: asked("until").trim()
})

export const dayFields = ({ since, until }: Days, from = "From", to = "To"): ReadonlyArray<FormField> => [
  { is: "date", name: "since", label: from, value: since, hint: "The whole of this day in UTC" },
  { is: "date", name: "until", label: to, value: until, hint: "The whole of this day in UTC" }
]

/** What makes a list of days shorter, where it is too long for a file. */
export const fewerDays = { field: "since", advice: "ask for fewer days" } as const

const midnight = (day: string, daysLater = 0): string =>
  // What is no day goes to the operation as it is, which says what is wrong with it.
  isCalendarDate(day) ? timestamp(millisOf(day) + Duration.toMillis(Duration.days(daysLater))) : day

/** The days as an operation is asked for them: it takes what is before `until`. */
export const spanOfDays = ({ since, until }: Days): Days => ({ since: midnight(since), until: midnight(until, 1) })
