/**
 * A moment as pages for a company's people show it: in UTC, to the minute or the second for a reader and to the millisecond for a
 * program.
 */
import { html, type Html } from "./html.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `at`: a timestamp as the operations answer it. `clock`: how much of its time of day is shown. */
const shown = (at: string, clock: string): Html => {
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-")
  return html`<time datetime="${at}">${Number(day)} ${months[Number(month) - 1] ?? null} ${year}, ${clock} UTC</time>`
}

export const shownTime = (at: string): Html => shown(at, at.slice(11, 16))

/** Where things follow each other within a minute. */
export const shownSecond = (at: string): Html => shown(at, at.slice(11, 19))
