/**
 * Dates and moments by their form: a calendar date that exists, and an ISO 8601 timestamp with an offset. The documents
 * show RFC 3339, the usual form of it. Programs also write the forms without seconds (Java) and without the colon of the
 * offset (Python), so those are taken too. Whether one lies in the future, and how old it makes a person, depends on the
 * time; `start/rules.ts` asks the functions below.
 */
import { formattedText } from "./text.ts"

const earliestYear = 1900

export const DateOfBirth = formattedText(
  10,
  (value) => (isCalendarDate(value) ? undefined : `must be a date that exists, YYYY-MM-DD, from ${earliestYear} on`),
  { format: "date" }
).annotate({ title: "Date of birth", description: `YYYY-MM-DD, ${earliestYear} or later and not in the future` })

/** What is wrong with a timestamp, if anything is. */
export const timestampProblem = (value: string): string | undefined => {
  const date = timestamp.exec(value)?.[1]
  if (date === undefined) return "must be an ISO 8601 timestamp with Z or an offset, such as 2026-11-21T09:08:00Z"
  return isCalendarDate(date) ? undefined : `must be of a day that exists, from ${earliestYear} on`
}

export const Timestamp = formattedText(40, timestampProblem, { format: "date-time" }).annotate({
  title: "Timestamp",
  description: "RFC 3339 with Z or an offset, such as 2026-11-21T09:08:00Z; at most 5 minutes in the future"
})

const calendarDate = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const timestamp =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])$/

export const isCalendarDate = (value: string): boolean => {
  const parts = calendarDate.exec(value)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year >= earliestYear && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

export const isTimestamp = (value: string): boolean => timestampProblem(value) === undefined

/** Epoch milliseconds of a timestamp, or of the first moment (UTC) of a date. */
export const millisOf = (value: string): number => Date.parse(value)

/** Whether a date that exists lies after today, by the calendar of UTC (V13). */
export const isFutureDate = (date: string, now: number): boolean => isCalendarDate(date) && millisOf(date) > now

/**
 * Full years between a date of birth and `now`, by the calendar of UTC. A person who was born on 29 February is a year
 * older on 1 March.
 */
export const ageOn = (now: number, dateOfBirth: string): number => {
  const today = new Date(now).toISOString().slice(0, 10)
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}

const daysIn = (year: number, month: number): number => {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
