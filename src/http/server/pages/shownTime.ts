/**
 * A moment as pages for a company's people show it: to the minute or the second for a reader, and to the millisecond for a
 * program. How a moment is written is in `schema/teamTime.ts`.
 */
import { customersTime, utcMoment } from "../../../schema/teamTime.ts"
import { html, type Html } from "./html.ts"

/** `at`: a timestamp as the operations answer it. `clock`: how much of its time of day is shown. */
const shown = (at: string, clock: string): Html =>
  html`<time datetime="${at}">${utcMoment(at, clock)}</time>${customersTime(at)}`

export const shownTime = (at: string): Html => shown(at, at.slice(11, 16))

/** Where things follow each other within a minute. */
export const shownSecond = (at: string): Html => shown(at, at.slice(11, 19))
