/**
 * The page of one webhook endpoint: its state and what to do about it, how deliveries went, its settings, and trying it out. The
 * forms are in `endpointForms.ts`, what they do in `endpointChanges.ts`.
 */
import { Clock, Duration, Effect } from "effect"
import { timestamp } from "../../../schema/moment.ts"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import type { WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import type { ResendTaskResource } from "../../../schema/webhook/Resend.ts"
import { deliveryOperations } from "../../api/webhooks/deliveries.ts"
import { webhookStatistics } from "../../api/webhooks/webhookStatistics.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { ProviderAddresses } from "../../server/callers/operator.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { attemptCharts } from "./attemptCharts.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { deliveryTable } from "./deliveryTable.ts"
import {
  endpointForm,
  pingForm,
  resendForm,
  rollForm,
  sampleForm,
  switchForm,
  type FormPlace
} from "./endpointForms.ts"
import {
  endpointFacts,
  endpointOf,
  endpointPageOf,
  endpointQuestion,
  orNothing,
  stateExplained,
  webhooksPath,
  type ModeName
} from "./endpointParts.ts"
import { checkForm } from "./receiverCheck.ts"
import { asFirstShown, type ConsoleFormState } from "../frame/forms.ts"
import { factList } from "../frame/lists.ts"
import { isOwner } from "../frame/owners.ts"
import { consoleLimits } from "../frame/limits.ts"
import { newFormField } from "../frame/sendOnce.ts"
import { onceScripts } from "../frame/shownOnce.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { webhooksExplained } from "./webhooks.ts"
import { addressShown } from "../../server/pages/addressShown.ts"

/** What a form that was refused shows again. */
export interface Again {
  readonly endpoint?: ConsoleFormState
  readonly resend?: ConsoleFormState
}

const state = (endpoint: WebhookEndpointResource, mode: ModeName): Html =>
  html`${factList(endpointFacts(endpoint))} ${stateExplained(endpoint, mode)}`

const resends = (mode: ModeName, tasks: ReadonlyArray<ResendTaskResource>): Shown =>
  tasks.length > 0 &&
  html`<h3>Resends</h3>
    <ul>
      ${tasks.map(
        ({ createdAt, id, queued, state }) =>
          html`<li>
            <a href="${endpointPageOf(mode)}/resends/${id}">${shownTime(createdAt)}</a>: ${queued} events,
            ${state === "RUNNING" ? "goes on" : "done"}
          </li>`
      )}
    </ul>`

const latest = (mode: ModeName, deliveries: ReadonlyArray<WebhookDeliveryResource>): Html =>
  html`<section>
    <h2>Latest deliveries</h2>
    ${deliveries.length === 0 ? html`<p>Nothing has been sent yet.</p>` : deliveryTable(mode, deliveries)}
    <p><a href="${endpointPageOf(mode)}/deliveries">The whole delivery log</a></p>
  </section>`

/** `forms`: what an owner can do. */
const changes = (place: FormPlace, endpoint: WebhookEndpointResource, again: Again, since: string): Html =>
  html`<section id="try">
      <h2>Try it</h2>
      <div class="cards">${pingForm(place)} ${place.mode === "test" && sampleForm(place)} ${checkForm(place)}</div>
    </section>
    <section id="resend">
      <h2>Send missed events again</h2>
      ${
        endpoint.enabled
          ? resendForm(place, since, again.resend ?? asFirstShown)
          : html`<p>Turn the endpoint on first: nothing is sent to it now.</p>`
      }
    </section>
    <section>
      <h2>Change where events go</h2>
      ${endpointForm(place, endpoint, again.endpoint ?? asFirstShown)}
    </section>
    <section id="switch">
      <h2>${endpoint.enabled ? "Turn it off" : "Turn it on"}</h2>
      ${switchForm(place, endpoint)}
    </section>
    <section>
      <h2>Secret</h2>
      <p>
        Deliveries are signed with a secret that was shown when it was made. A new one is shown once, too; give your
        receiver time to know it.
      </p>
      ${rollForm(place)}
    </section>
    <section>
      <h2>Remove</h2>
      <p><a role="button" class="outline danger" href="${endpointPageOf(place.mode)}/remove">Remove the endpoint</a></p>
    </section>`

/** Where nothing is set: what a webhook is for, and the form. The log of an endpoint that was removed stays. */
const without = (user: CompanyUser, place: FormPlace, again: Again, hasLog: boolean, baseUrl: string): Html =>
  html`${webhooksExplained(baseUrl)}
  ${
    isOwner(user)
      ? html`<h2>Set the ${place.mode} endpoint</h2>
          ${endpointForm(place, null, again.endpoint ?? asFirstShown)}`
      : html`<p>Only an owner of the company can set an endpoint.</p>`
  }
  ${hasLog && html`<p><a href="${endpointPageOf(place.mode)}/deliveries">The log of the endpoint before</a></p>`}`

/** A form's time has neither seconds nor a zone. */
const minuteOf = (at: string): string => at.slice(0, 16)

/** What is asked for first: all since the endpoint began to fail, or of the last day. */
const firstSince = (endpoint: WebhookEndpointResource, now: number): string =>
  minuteOf(endpoint.failingSince ?? timestamp(now - Duration.toMillis(consoleLimits.resendAskedFor)))

/** The page; after a form that was refused, with what was typed. */
export const endpointPage = Effect.fnUntraced(function* (user: CompanyUser, again: Again = {}) {
  const question = yield* endpointQuestion(user)
  const { mode } = question.path
  const endpoint = yield* endpointOf(user, mode)
  const { allowInsecure } = yield* ProviderAddresses
  const place = { mode, formToken: user.formToken, allowInsecure, once: yield* newFormField }
  const log = yield* orNothing(
    ask(deliveryOperations, "listDeliveries", { ...question, query: { size: consoleLimits.latestShown } })
  )
  const isRefused = again.endpoint !== undefined || again.resend !== undefined
  const heading = mode === "live" ? "Live webhook endpoint" : "Test webhook endpoint"
  const status = isRefused ? pageStatus.unusable : pageStatus.shown
  if (endpoint === null) {
    const content = without(user, place, again, log !== null, yield* addressShown(user))
    return yield* showPage(user, { heading, status, scripts: onceScripts, content })
  }
  const statistics = yield* ask(webhookStatistics, "getWebhookStatistics", question)
  const tasks = yield* ask(deliveryOperations, "listResends", {
    ...question,
    query: { size: consoleLimits.latestShown }
  })
  const since = firstSince(endpoint, yield* Clock.currentTimeMillis)
  return yield* showPage(user, {
    heading,
    status,
    scripts: onceScripts,
    content: html`${state(endpoint, mode)}
      <section>
        <h2>The last day</h2>
        ${attemptCharts(statistics, true)}
      </section>
      ${latest(mode, log?.content ?? [])} ${resends(mode, tasks.content)}
      ${
        isOwner(user)
          ? changes(place, endpoint, again, since)
          : html`<p>Only an owner of the company can change, try or resend.</p>`
      }
      <p><a href="${webhooksPath}">Both endpoints</a></p>`
  })
})

export const endpointRoutes = [
  { method: "GET", path: `${webhooksPath}/:mode`, handle: companyPage((user) => endpointPage(user)) }
] as const
