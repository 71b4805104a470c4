/**
 * The note at the foot of a signed-in customer's page that the session is about to end, with a button that prolongs the session: whoever
 * reads, types or films slowly loses nothing (WCAG 2.2.1). `session.js` shows the note in time; without scripts it stays hidden.
 */
import { Duration } from "effect"
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { customerLimits } from "../../actors/customer/limits.ts"
import type { FrameWords } from "../../schema/words/en/frame.ts"
import { html, type Html } from "../server/html.ts"

/** Where the page's script asks when the session ends, and prolongs the session. */
export const sessionPath = "/app/session"

const { sessionEndAskedEvery, sessionEndSaidBefore } = customerLimits
const minutes = Duration.toMinutes(sessionEndSaidBefore)

export const sessionNote = ({ session }: FrameWords, formToken: string): Html =>
  html`<aside
    id="session"
    class="session"
    hidden
    data-path="${sessionPath}"
    data-token="${formToken}"
    data-say-before="${Duration.toSeconds(sessionEndSaidBefore)}"
    data-ask-every="${Duration.toSeconds(sessionEndAskedEvery)}"
    data-soon="${session.soon({ minutes })}"
    data-last="${session.last({ minutes })}"
    data-stays="${session.stays}"
    data-over="${session.over}"
  >
    <p role="alert"></p>
    <button type="button">${session.stay}</button>
    <a class="alone" href="${journeyPagePath}">${session.signInAgain}</a>
  </aside>`
