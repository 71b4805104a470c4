/**
 * What a customer reads about a rejection: why the team did not accept their identity check (D4), in the team's own words.
 * No other refusal gives the customer a reason: the reason for a cancellation belongs to the team (V22), and the page of a
 * closed journey gives none (X6).
 */
import { html, type Shown } from "../../server/pages/html.ts"
import type { CustomerSession } from "../session/CustomerSession.ts"

/** Nothing, unless the check has failed and the team gave a reason. */
export const rejectionOf = ({ details, journey, visitor }: CustomerSession): Shown =>
  journey.identity?.status === "FAILED" &&
  details.rejection !== null &&
  html`<p>${visitor.words.journey.rejected}</p>
    <blockquote>${details.rejection}</blockquote>`
