/** A company's mail to customers as the operator sees and changes it: stopped or not, and how much may leave in a day. */
import type { MailStandingResource } from "../../../schema/mail/MailStanding.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { mailStandingPart } from "../company/mailStanding.ts"
import type { ConsoleUser } from "../frame/consolePage.ts"
import { formOf, type ConsoleFormState } from "../frame/forms.ts"
import { askedFirst } from "../frame/lists.ts"
import { numberOf } from "../frame/numberOf.ts"

const stopForm = (user: ConsoleUser, here: string, isStopped: boolean): Html => {
  const form = formOf(user, {
    id: "mail-stopped",
    action: `${here}/mail`,
    button: isStopped ? "Start the mail again" : "Stop the mail to customers",
    isDangerous: !isStopped,
    fields: [{ is: "hidden", name: "stopped", value: isStopped ? "no" : "yes" }]
  })
  return isStopped
    ? form
    : askedFirst(
        "Stop the mail to customers",
        html`<p>No mail to customers and no invitation of this company leaves until you start it again.</p>
          ${form}`
      )
}

const limitForm = (user: ConsoleUser, here: string, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "mail-per-day",
    action: `${here}/mail`,
    button: "Save the number",
    state,
    fields: [
      {
        is: "number",
        name: "perDay",
        label: "Mails to customers in 24 hours",
        hint: "Empty: as the company's age has it"
      }
    ]
  })

/** `state`: of the form with the number. */
export const operatorMailPart = (
  user: ConsoleUser,
  here: string,
  standing: MailStandingResource,
  state: ConsoleFormState
): Html =>
  html`${mailStandingPart(standing)} ${stopForm(user, here, standing.stoppedAt !== null)}
  ${limitForm(user, here, state)}`

/** What the form that was sent changes; a number that is none is refused by the operation. */
export const mailChangeOf = (fields: URLSearchParams) => {
  const stopped = fields.get("stopped")
  if (stopped !== null) return { stopped: stopped === "yes" }
  const perDay = numberOf(fields, "perDay")
  return { perDay: perDay === "" ? null : perDay }
}
