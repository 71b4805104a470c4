/**
 * A part of a page that shows how something goes on: it is fetched again every two seconds while it goes on, and stays as it is when
 * it has ended. Without scripts there is a link. A look is no use of the session.
 */
import { html, type Html, type Shown } from "../../server/html.ts"
import { looks } from "../../server/looks.ts"
import { keptWhenRefused } from "./renewing.ts"

/** `path`: of the page that has the part. One page has one. */
export const updating = (path: string, isGoingOn: boolean, content: Shown): Html =>
  isGoingOn
    ? html`<div
        id="updating"
        hx-get="${path}"
        hx-trigger="every 2s"
        hx-select="#updating"
        hx-swap="outerHTML"
        hx-headers="${looks}"
        ${keptWhenRefused}
      >
        ${content}
        <p><a href="${path}">Look again</a></p>
      </div>`
    : html`<div id="updating">${content}</div>`
