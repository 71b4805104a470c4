/**
 * The keys of the pages of reviews, said on the page. The script `browser/reviewKeys.js` heeds them; everything works without.
 * Single letters can be turned off: whoever speaks to the computer would press them by the way (WCAG 2.1.4).
 */
import { html, type Html } from "../../server/pages/html.ts"

const keys = {
  J: "the next review",
  K: "the review before",
  A: "to the form that approves",
  R: "to the form that rejects",
  Enter: "opens the review",
  "Ctrl + Enter": "sends the form in which you write",
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
    <label hidden><input type="checkbox" id="keys-used" checked /> Single letters are keys, in this browser</label>
  </details>`
