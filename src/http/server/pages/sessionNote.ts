/**
 * The note at the foot of a page of somebody who is signed in that the session is about to end, with a button that prolongs the session:
 * whoever reads, types or films slowly loses nothing (WCAG 2.2.1). The script `session.js` shows the note in time; without scripts
 * the note stays hidden. Pages of customers and of the console have it.
 */
import { Duration } from "effect"
import type { FrameWords } from "../../../schema/words/en/frame.ts"
import { html, type Html } from "./html.ts"
import { httpLimits } from "../limits.ts"

const { sessionEndAskedEvery, sessionEndSaidBefore } = httpLimits
const minutes = Duration.toMinutes(sessionEndSaidBefore)

interface SessionNote {
  /** Where the script asks when the session ends, and prolongs the session. */
  readonly path: string
  readonly formToken: string
  readonly words: FrameWords["session"]
  /** The link of whoever was signed out. */
  readonly signIn: Html
  /** The address of the page, for whoever has signed in since. Empty: that which the browser shows. */
  readonly here: string
}

export const sessionNote = ({ formToken, here, path, signIn, words }: SessionNote): Html =>
  html`<aside
    id="session"
    class="session"
    hidden
    data-path="${path}"
    data-token="${formToken}"
    data-say-before="${Duration.toSeconds(sessionEndSaidBefore)}"
    data-ask-every="${Duration.toSeconds(sessionEndAskedEvery)}"
    data-soon="${words.soon({ minutes })}"
    data-last="${words.last({ minutes })}"
    data-stays="${words.stays}"
    data-over="${words.over}"
    data-another="${words.another}"
  >
    <p role="alert"></p>
    <button type="button">${words.stay}</button>
    ${signIn}
    <a class="alone" href="${here}" hidden>${words.loadAgain}</a>
  </aside>`
