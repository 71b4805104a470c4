/**
 * A moment as pages for a company's people show it: in UTC, to the minute or the second for a reader and to the millisecond for a
 * program. Where the clock of the customers' pages and mails says something else, that stands beside it.
 */
import { customersClock } from "../../schema/words/locale/formats.ts"
import { html, type Html } from "./html.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const customersTime = (at: string): string => {
  const time = customersClock.time(Date.parse(at))
  if (time === at.slice(11, 16)) return ""
  // It is ahead of UTC, by an hour.
  return ` (${time} in ${customersClock.place}${time < at.slice(11, 16) ? ", the next day" : ""})`
}

/** `at`: a timestamp as the operations answer it. `clock`: how much of its time of day is shown. */
const shown = (at: string, clock: string): Html => {
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-")
  const moment = `${Number(day)} ${months[Number(month) - 1] ?? ""} ${year}, ${clock} UTC`
  return html`<time datetime="${at}">${moment}</time>${customersTime(at)}`
}

export const shownTime = (at: string): Html => shown(at, at.slice(11, 16))

/** Where things follow each other within a minute. */
export const shownSecond = (at: string): Html => shown(at, at.slice(11, 19))
