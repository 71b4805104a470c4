/** A moment as the pages of the console show it: in UTC, to the minute for a reader and to the millisecond for a program. */
import { html, type Html } from "../../server/html.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `at`: a timestamp as the operations answer it. */
export const shownTime = (at: string): Html => {
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-")
  return html`<time datetime="${at}"
    >${Number(day)} ${months[Number(month) - 1] ?? null} ${year}, ${at.slice(11, 16)} UTC</time
  >`
}
