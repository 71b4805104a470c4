/** The keys of the pages of reviews, said on the page. The script `browser/reviewKeys.js` heeds them; everything works without. */
import { html, type Html } from "../../server/html.ts"

const keys = {
  J: "the next review",
  K: "the review before",
  A: "to the form that approves",
  R: "to the form that rejects",
  Enter: "opens the review",
  "?": "shows these keys"
} as const

export const keysHelp = (shown: ReadonlyArray<keyof typeof keys>): Html =>
  html`<details id="keys">
    <summary>Keys</summary>
    <dl class="case-terms">
      ${[...shown, "?" as const].map(
        (key) =>
          html`<div>
            <dt><kbd>${key}</kbd></dt>
            <dd>${keys[key]}</dd>
          </div>`
      )}
    </dl>
  </details>`
