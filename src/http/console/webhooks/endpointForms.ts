/**
 * The forms of an endpoint's page: where events go and which, the switch, the secret, a ping and a sample, a resend of many.
 * What they do is in `endpointChanges.ts`.
 */
import { Duration } from "effect"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import { eventCatalogue } from "../../../schema/journey/events.ts"
import { eventSelectors, everything, journeyEventTypes } from "../../../schema/webhook/EventSelection.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { inWords } from "../../documents/durations.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { endpointPageOf, type ModeName } from "./endpointParts.ts"
import { formOf, tickHtml, type ConsoleFormState } from "../frame/forms.ts"
import { askedFirst } from "../frame/lists.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

export interface FormPlace {
  readonly mode: ModeName
  readonly formToken: string
  /** Whether this installation delivers to any address (`WEBHOOK_ALLOW_INSECURE`). */
  readonly allowInsecure: boolean
  /** The field with the number of the forms whose answer may show a new secret (`sendOnce.ts`). */
  readonly once: Html
}

const groups = eventSelectors.filter((selector) => selector.endsWith(".*"))

const choice = (value: string, chosen: ReadonlyArray<string>, label: Shown): Html =>
  tickHtml("checkbox", "events", { value, label }, chosen.includes(value))

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

const eventChoices = (chosen: ReadonlyArray<string>): Html =>
  html`${choice(everything, chosen, "everything")}
    <details ${!chosen.includes(everything) && html`open`}>
      <summary>Choose groups or single events</summary>
      <div class="groups">${groups.map((group) => groupChoices(group, chosen))}</div>
    </details>`

/** A new endpoint is on; one that is known stays as it is. */
export const endpointForm = (
  place: FormPlace,
  known: Pick<WebhookEndpointResource, "events" | "url"> | null,
  state: ConsoleFormState
): Html =>
  formOf(place, {
    id: "endpoint",
    action: endpointPageOf(place.mode),
    button: known === null ? "Set the endpoint" : "Save",
    before: place.once,
    state,
    fields: [
      {
        is: "url",
        name: "url",
        label: place.allowInsecure
          ? "URL: http or https; this installation may reach any address"
          : "URL: https, reachable from the internet",
        value: known?.url ?? "",
        required: true,
        maxLength: webhookLimits.longestUrl,
        placeholder: "https://hooks.example.com/journeys",
        autocomplete: "off",
        ...(known === null ? {} : { hint: "Another URL gets another secret, which is shown once." })
      },
      {
        is: "own",
        name: "events",
        label: "Events",
        control: (typed) => eventChoices(typed?.getAll("events") ?? known?.events ?? [everything])
      }
    ]
  })

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

type OverlapHours = (typeof webhookLimits.overlapHours)[number]

const overlapWords = (hours: OverlapHours): string =>
  hours === 0
    ? "not at all, and no secret of before either"
    : `for ${inWords(Duration.toMillis(Duration.hours(hours)))}`

/** What is for a secret that leaked comes last. */
const overlaps = webhookLimits.overlapHours.toSorted((one, other) => Number(one === 0) - Number(other === 0))

export const rollForm = ({ formToken, mode, once }: FormPlace): Html =>
  askedFirst(
    "Roll the secret",
    html`<form method="post" action="${endpointPageOf(mode)}/roll-secret">
      ${tokenField(formToken)} ${once}
      <p>
        A new secret is made and shown once. From then on your receiver must know it, and it takes the present one no
        longer than you choose here.
      </p>
      <label>
        The present secret goes on signing as well
        <select name="overlapHours">
          ${overlaps.map((hours) => html`<option value="${hours}">${overlapWords(hours)}</option>`)}
        </select>
      </label>
      <button class="secondary">Make a new secret</button>
    </form>`
  )

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

const typeChoices = (chosen: ReadonlyArray<string>): Html =>
  html`<details ${chosen.length > 0 && html`open`}>
    <summary>Without a choice, what the endpoint has chosen</summary>
    ${journeyEventTypes.map((value) =>
      tickHtml("checkbox", "types", { value, label: html`<code>${value}</code>` }, chosen.includes(value))
    )}
  </details>`

/** `since`: the moment that is offered first; times of a form are UTC. */
export const resendForm = (place: FormPlace, since: string, state: ConsoleFormState): Html =>
  formOf(place, {
    id: "again",
    action: `${endpointPageOf(place.mode)}/resend`,
    button: "Send again",
    state,
    fields: [
      {
        is: "datetime-local",
        name: "since",
        label: `Everything missed since (UTC), at most ${webhookLimits.resendableDays} days ago`,
        value: since,
        required: true
      },
      {
        is: "text",
        name: "journeyId",
        label: "Only of this journey (its id), if you like",
        autocomplete: "off"
      },
      {
        is: "own",
        name: "types",
        label: "Only some events",
        control: (typed) => typeChoices(typed?.getAll("types") ?? [])
      },
      { is: "tick", name: "delivered", label: "also what was delivered" }
    ]
  })
