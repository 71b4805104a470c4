/**
 * How the company's mail to customers stands, as its people and the operator read it: what left, what came back, and whether it was
 * stopped. Only the operator changes it, on a page of their own.
 */
import type { MailStandingResource } from "../../../schema/mail/MailStanding.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { factList } from "../frame/lists.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const state = ({ stoppedAt, stoppedBy }: MailStandingResource): Shown => {
  if (stoppedAt === null) return "It leaves"
  const why = stoppedBy === "RATE" ? "too much of it was refused, came back or brought complaints" : "by the operator"
  return html`<strong>Stopped</strong> since ${shownTime(stoppedAt)}: ${why}`
}

export const mailStandingPart = (standing: MailStandingResource): Html =>
  html`<section id="mail" aria-labelledby="mail-title">
    <h2 id="mail-title">Mail to customers</h2>
    ${
      standing.stoppedAt !== null &&
      html`<p>
        What would be sent waits, and nothing is lost. Look where the addresses come from; when the cause is gone, the
        operator of this service starts the mail again.
      </p>`
    }
    ${factList([
      ["State", state(standing)],
      ["Left in the last 24 hours", String(standing.sent)],
      ["May leave in 24 hours", standing.perDay === null ? "any number" : `${standing.perDay}; what is over waits`],
      ["Refused by mail servers", String(standing.refused)],
      ["Bounces and complaints that were recorded", String(standing.reported)]
    ])}
  </section>`
