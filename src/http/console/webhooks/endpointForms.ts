/**
 * The forms of an endpoint's page: where events go and which, the switch, the secret, a ping and a sample, a resend of many.
 * What they do is in `endpointChanges.ts`.
 */
import type { FieldError } from "../../../schema/problems.ts"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import { eventCatalogue } from "../../../schema/journey/events.ts"
import { eventSelectors, everything, journeyEventTypes } from "../../../schema/webhook/EventSelection.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { html, type Html } from "../../server/html.ts"
import { tokenField } from "../frame/consoleFrame.ts"
import { endpointPageOf, type ModeName } from "./endpointParts.ts"
import { otherProblems, problemAt, refusedAttributes } from "../frame/fieldProblems.ts"

export interface FormPlace {
  readonly mode: ModeName
  readonly formToken: string
  /** Whether this installation delivers to any address (`WEBHOOK_ALLOW_INSECURE`). */
  readonly allowInsecure: boolean
}

/** What was typed, and what was refused about it. */
export interface EndpointFields {
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly errors: ReadonlyArray<FieldError>
}

const groups = eventSelectors.filter((selector) => selector.endsWith(".*"))

const choice = (selector: string, chosen: ReadonlyArray<string>, words: Html): Html =>
  html`<label
    ><input type="checkbox" name="events" value="${selector}" ${chosen.includes(selector) && html`checked`} />
    ${words}</label
  >`

const groupChoices = (group: string, chosen: ReadonlyArray<string>): Html => {
  const own = journeyEventTypes.filter((type) => type.startsWith(group.slice(0, -1)))
  return html`<fieldset class="group">
    <legend><code>${group}</code></legend>
    ${choice(group, chosen, html`all of these, and those added later`)}
    ${own.map((type) => choice(type, chosen, html`<code>${type}</code> <small>${eventCatalogue[type].when}</small>`))}
  </fieldset>`
}

/** What the boxes mean: a group covers its events, and everything covers all. */
export const selectionOf = (chosen: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (chosen.includes(everything)) return [everything]
  return chosen.filter((one) => one.endsWith(".*") || !chosen.includes(`${one.slice(0, one.indexOf("."))}.*`))
}

/** A new endpoint is on; one that is known stays as it is. */
export const endpointForm = (
  { allowInsecure, formToken, mode }: FormPlace,
  { errors, events, url }: EndpointFields,
  known: WebhookEndpointResource | null
): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}">
    ${tokenField(formToken)} ${otherProblems(["url", "events"], errors)}
    <label>
      URL:
      ${allowInsecure ? "http or https; this installation may reach any address" : "https, reachable from the internet"}
      <input
        type="url"
        name="url"
        required
        value="${url}"
        maxlength="${webhookLimits.longestUrl}"
        placeholder="https://hooks.example.com/journeys"
        autocomplete="off"
        ${refusedAttributes("url", errors)}
      />
      ${problemAt("url", errors)}
    </label>
    ${known !== null && html`<p>Another URL gets another secret, which is shown once.</p>`}
    <fieldset>
      <legend>Events</legend>
      ${choice(everything, events, html`everything`)}
      <details ${!events.includes(everything) && html`open`}>
        <summary>Choose groups or single events</summary>
        <div class="groups">${groups.map((group) => groupChoices(group, events))}</div>
      </details>
      ${problemAt("events", errors)}
    </fieldset>
    <button>${known === null ? "Set the endpoint" : "Save"}</button>
  </form>`

export const switchForm = ({ formToken, mode }: FormPlace, { enabled }: WebhookEndpointResource): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}/switch">
    ${tokenField(formToken)}
    <input type="hidden" name="enabled" value="${String(!enabled)}" />
    <p>
      ${
        enabled
          ? "While the endpoint is off, events are kept and not sent. They leave when you send them again."
          : "From now on events are sent again. What was kept meanwhile leaves when you send it again."
      }
    </p>
    <button class="${enabled ? "secondary" : ""}">${enabled ? "Turn it off" : "Turn it on"}</button>
  </form>`

const overlapWords: Readonly<Record<number, string>> = { 0: "not at all", 24: "for a day", 168: "for a week" }

export const rollForm = ({ formToken, mode }: FormPlace, once: Html): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}/roll-secret">
    ${tokenField(formToken)} ${once}
    <label>
      The secret of now goes on signing as well
      <select name="overlapHours">
        ${[24, 168, 0].map((hours) => html`<option value="${hours}">${overlapWords[hours] ?? null}</option>`)}
      </select>
    </label>
    <button class="secondary">Roll the secret</button>
  </form>`

export const pingForm = ({ formToken, mode }: FormPlace): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}/ping">
    ${tokenField(formToken)}
    <button class="secondary">Send a ping</button>
  </form>`

export const sampleForm = ({ formToken, mode }: FormPlace): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}/sample">
    ${tokenField(formToken)}
    <label>
      An example of an event, with invented ids
      <select name="type">
        ${journeyEventTypes.map((type) => html`<option value="${type}">${type}</option>`)}
      </select>
    </label>
    <button class="secondary">Send the example</button>
  </form>`

/** What somebody wants to be sent again; times of a form are UTC. */
export interface ResendFields {
  readonly since: string
  readonly types: ReadonlyArray<string>
  readonly journeyId: string
  readonly delivered: boolean
  readonly errors: ReadonlyArray<FieldError>
}

export const resendForm = (
  { formToken, mode }: FormPlace,
  { delivered, errors, journeyId, since, types }: ResendFields
): Html =>
  html`<form method="post" action="${endpointPageOf(mode)}/resend">
    ${tokenField(formToken)} ${otherProblems(["since", "types", "journeyId"], errors)}
    <label>
      Everything missed since (UTC), at most ${webhookLimits.resendableDays} days ago
      <input type="datetime-local" name="since" required value="${since}" ${refusedAttributes("since", errors)} />
      ${problemAt("since", errors)}
    </label>
    <label>
      Only of this journey (its id), if you like
      <input name="journeyId" value="${journeyId}" autocomplete="off" ${refusedAttributes("journeyId", errors)} />
      ${problemAt("journeyId", errors)}
    </label>
    <details ${types.length > 0 && html`open`}>
      <summary>Only some events</summary>
      <fieldset class="group">
        <legend>Without a choice, what the endpoint has chosen</legend>
        ${journeyEventTypes.map(
          (type) =>
            html`<label
              ><input type="checkbox" name="types" value="${type}" ${types.includes(type) && html`checked`} />
              <code>${type}</code></label
            >`
        )}
      </fieldset>
      ${problemAt("types", errors)}
    </details>
    <label
      ><input type="checkbox" name="delivered" value="true" ${delivered && html`checked`} /> also what was
      delivered</label
    >
    <button class="secondary">Send again</button>
  </form>`
