/**
 * What a customer is told of a rejection: why the team did not accept their identity check (D4), in the team's own words.
 * Nothing else has a reason for the customer: that of a cancellation is the team's (V22), a closed journey tells none (X6).
 */
import { html, type Shown } from "./html.ts"
import type { Visit } from "./CustomerSession.ts"

/** Nothing where the check has not failed, or nobody of the team said why. */
export const rejectionOf = ({ details, journey }: Visit): Shown =>
  journey.identity?.status === "FAILED" &&
  details.rejection !== null &&
  html`<p>Somebody of the team looked at your last check and could not accept it. This is why:</p>
    <blockquote>${details.rejection}</blockquote>`
