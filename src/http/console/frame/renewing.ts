/**
 * A part of a page that is fetched again while the page is looked at: the list whose rows change, the overview, who has a review open,
 * and how something goes on. The script `browser/renew.js` says when; it leaves the part alone while somebody uses it. Without scripts
 * there is a link. A look is no use of the session, and the audit log has the same names once in a quarter of an hour.
 */
import { Duration } from "effect"
import { timestamp } from "../../../schema/moment.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { looks } from "../../server/pages/looks.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { renewPath } from "./assets.ts"
import { consoleLimits } from "./limits.ts"

/** Of the pages that have such a part. */
export const renewScripts = [renewPath]

interface Renewed {
  /** Unique on its page. */
  readonly id: string
  /** What is fetched, and holds the part. */
  readonly path: string
  readonly content: Shown
  readonly every?: Duration.Duration
}

/** Of what a script fetches: an answer that is a problem is not put in the place of what the page shows. */
export const keptWhenRefused = html`hx-status:4xx="swap:none" hx-status:5xx="swap:none"`

export const renewedPart = ({ content, every = consoleLimits.renewedEvery, id, path }: Renewed): Html =>
  html`<div
    id="${id}"
    data-renewed-every="${Duration.toSeconds(every)}"
    hx-get="${path}"
    hx-trigger="renew"
    hx-select="#${id}"
    hx-swap="outerMorph"
    hx-headers="${looks}"
    ${keptWhenRefused}
  >
    ${content}
  </div>`

/** A list with its age. `now`: when it was read. */
export const renewedList = (path: string, now: number, content: Shown): Html =>
  renewedPart({
    id: "list",
    path,
    content: html`<p class="live">
        <span>As of ${shownTime(timestamp(now))}</span>
        <span data-renews hidden>It renews itself, but not while you work in it.</span>
        <span data-rests hidden>It does not renew itself while it shows more than its beginning.</span>
        <a href="${path}">Look again</a>
      </p>
      ${content}`
  })

const progressId = "progress"

/** How something goes on: it is fetched again while it goes on, and stays as it is when it has ended. One page has one. */
export const progressPart = (path: string, isGoingOn: boolean, content: Shown): Html =>
  isGoingOn
    ? renewedPart({
        id: progressId,
        path,
        every: consoleLimits.progressRenewedEvery,
        content: html`${content}
          <p><a href="${path}">Look again</a></p>`
      })
    : html`<div id="${progressId}">${content}</div>`
