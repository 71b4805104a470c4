/**
 * The calls of an API key on the page of a journey, for whoever builds the integration: those that are taken now, with what their
 * bodies must have, and those that are refused, with why. The same answer as `GET .../actions`.
 */
import type { JourneyActions, JourneyCall } from "../../../schema/journey/actions.ts"
import { errorCatalogue } from "../../../schema/problems.ts"
import { requiredMembersOf, type RequiredMember } from "../../api/actions/journeyCalls.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { listTable } from "../frame/lists.ts"
import { callNames } from "../words/journeyWords.ts"

type Choices = JourneyActions["allowed"][number]["choices"]

/** A line that is about some values of a member names those. */
const memberHtml = ({ name, says, values }: RequiredMember, choices: Choices): Html => {
  const shown = choices?.member === name ? choices.values : values
  return html`<code>${name}</code>:
    ${
      shown.length > 0
        ? shown.map((value, at) => html`${at > 0 && ", "}<code>${value}</code>`)
        : (says ?? "see the documentation")
    }`
}

const bodyOf = (operation: JourneyCall, choices: Choices): Shown => {
  const members = requiredMembersOf(operation)
  return members.length === 0
    ? "none needed"
    : members.map((member, at) => html`${at > 0 && html`<br />`}${memberHtml(member, choices)}`)
}

/** What of a call a line is about. */
const callOf = (operation: JourneyCall, choices: Choices): Html =>
  html`${callNames[operation]}${choices !== null && html`: ${choices.values.map((value, at) => html`${at > 0 && ", "}<code>${value}</code>`)}`}`

export const callTables = ({ allowed, notAllowed }: JourneyActions): Html => {
  const taken = allowed.filter(({ by }) => by === "API_KEY")
  const refused = notAllowed.filter(({ by }) => by === "API_KEY")
  return html`<section aria-labelledby="calls-heading">
    <h2 id="calls-heading">Calls of the API</h2>
    <details>
      <summary>For whoever builds the integration: what your API keys may do with this journey now</summary>
      ${listTable({
        caption: "Taken now",
        head: ["Call", "Request", "Body"],
        empty: html`<p>The API takes no call now.</p>`,
        rows: taken.map(({ choices, method, operation, path }) => [
          callNames[operation],
          html`<code>${method} ${path}</code>`,
          bodyOf(operation, choices)
        ])
      })}
      ${
        refused.length > 0 &&
        listTable({
          caption: "Refused now",
          head: ["Call", "Answer", "Why"],
          empty: null,
          rows: refused.map(({ choices, code, operation }) => [
            callOf(operation, choices),
            html`<code>${code}</code>`,
            errorCatalogue[code].meaning
          ])
        })
      }
    </details>
  </section>`
}
