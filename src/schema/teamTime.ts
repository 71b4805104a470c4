/**
 * A moment as a company's people read it, on pages and in mails: in UTC, as the programs and the audit log of every company have it.
 * Where the clock that customers read says something else, that stands beside it. What customers read is in `words/locale/formats.ts`.
 */
import { timestamp } from "./moment.ts"
import { customersClock } from "./words/locale/formats.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `clock`: how much of the time of day of the timestamp `at` is shown. */
export const utcMoment = (at: string, clock: string): string => {
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-")
  return `${Number(day)} ${months[Number(month) - 1] ?? ""} ${year}, ${clock} UTC`
}

/** Empty where both clocks say the same. */
export const customersTime = (at: string): string => {
  const time = customersClock.time(Date.parse(at))
  if (time === at.slice(11, 16)) return ""
  // It is ahead of UTC, by an hour.
  return ` (${time} in ${customersClock.place}${time < at.slice(11, 16) ? ", the next day" : ""})`
}

/** In a mail, to the minute: nobody needs more there. */
export const mailedMoment = (millis: number): string => {
  const at = timestamp(millis)
  return `${utcMoment(at, at.slice(11, 16))}${customersTime(at)}`
}
