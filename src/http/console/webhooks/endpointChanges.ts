/**
 * What the forms of an endpoint's page do. Each leads to the page that shows the outcome; a new secret is on the answer itself,
 * and nowhere else.
 */
import { Effect } from "effect"
import { failureClasses } from "../../../schema/failureClass.ts"
import type { SavedWebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import { deliveryOperations } from "../../api/webhooks/deliveries.ts"
import { pingAndSample } from "../../api/webhooks/pingAndSample.ts"
import { webhookEndpointOperations } from "../../api/webhooks/webhookEndpoints.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html } from "../../server/pages/html.ts"
import { problem } from "../../server/answers/problems.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { endpointPage } from "./endpoint.ts"
import { selectionOf } from "./endpointForms.ts"
import {
  attemptOutcomeOf,
  endpointOf,
  endpointPageOf,
  endpointQuestion,
  webhooksPath,
  type ModeName
} from "./endpointParts.ts"
import { orShownAgain, type ConsoleFormState } from "../frame/forms.ts"
import { numberOf } from "../frame/numberOf.ts"
import { redirectAfterStep } from "../overview/firstSteps.ts"
import { isOwner, ownersOnly } from "../frame/owners.ts"
import { refuseSecondSend } from "../frame/sendOnce.ts"
import { verification, webhookDocs } from "./verification.ts"
import { onceScripts, shownOnce } from "../frame/shownOnce.ts"
import type { WebhookDeliveryResource } from "../../../schema/webhook/WebhookDelivery.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const secretPage = (user: CompanyUser, heading: string, mode: ModeName, secret: string) =>
  showPage(user, {
    heading,
    scripts: onceScripts,
    content: html`${shownOnce("secret", secret)}
      <p>
        Your receiver needs it to know that a request is ours: the key of the signature is the whole text,
        <code>whsec_</code> included. <a href="${webhookDocs}">How a signature is checked</a>.
      </p>
      ${verification}
      <p><a role="button" href="${endpointPageOf(mode)}">I have copied the secret</a></p>`
  })

const saved = (user: CompanyUser, mode: ModeName, { secret }: SavedWebhookEndpointResource, said: string) =>
  secret === undefined
    ? redirectAfterStep(user, endpointPageOf(mode), said)
    : secretPage(user, "The endpoint is set", mode, secret)

/** The operation lists every name that it takes; whoever ticks boxes sees them. */
const withPlainChoice = ({ errors, typed }: ConsoleFormState, chosen: ReadonlyArray<string>): ConsoleFormState => ({
  typed,
  errors: errors.map(({ code, field, message }) => ({
    code,
    field,
    message: field === "events" && chosen.length === 0 ? "Tick at least one event, or everything" : message
  }))
})

/** An endpoint that its owner turned off stays off; another one is on. */
const save = companyForm((user, fields) =>
  Effect.gen(function* () {
    yield* refuseSecondSend(fields)
    const question = yield* endpointQuestion(user)
    const { mode } = question.path
    const url = fields.get("url") ?? ""
    const chosen = fields.getAll("events")
    const known = yield* endpointOf(user, mode)
    const body = { url, events: selectionOf(chosen), enabled: known?.offReason !== "BY_HAND" }
    const answer = yield* orShownAgain(
      ask(webhookEndpointOperations, "saveWebhookEndpoint", { ...question, body }),
      fields
    )
    if ("state" in answer) return yield* endpointPage(user, { endpoint: withPlainChoice(answer.state, chosen) })
    return yield* saved(user, mode, answer, "The endpoint was saved. Its secret stays as it was.")
  })
)

const turn = companyForm((user, fields) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    const { mode } = question.path
    const known = yield* endpointOf(user, mode)
    if (known === null) return yield* problem("NOT_FOUND", "webhookEndpoint")
    const enabled = fields.get("enabled") === "true"
    const body = { url: known.url, enabled }
    const answer = yield* ask(webhookEndpointOperations, "saveWebhookEndpoint", { ...question, body })
    return yield* saved(user, mode, answer, enabled ? "The endpoint is on." : "The endpoint is off.")
  })
)

const roll = companyForm((user, fields) =>
  Effect.gen(function* () {
    yield* refuseSecondSend(fields)
    const question = yield* endpointQuestion(user)
    const body = { overlapHours: numberOf(fields, "overlapHours") }
    const { secret = "" } = yield* ask(webhookEndpointOperations, "rollWebhookSecret", { ...question, body })
    return yield* secretPage(user, "The endpoint has a new secret", question.path.mode, secret)
  })
)

/** What came of a test stands on the page of its delivery. */
const tried = (user: CompanyUser, mode: ModeName, what: string, { attempts, id }: WebhookDeliveryResource) => {
  const [attempt] = attempts
  const said = (words: string) => redirectAfterStep(user, `${endpointPageOf(mode)}/deliveries/${id}`, words)
  if (attempt === undefined) return said(`${what} was sent. It waits for its attempt.`)
  if (attempt.error !== null) return said(`${what} did not arrive. ${failureClasses[attempt.error].meaning}`)
  return said(`${what} was sent. ${attemptOutcomeOf(attempt)} after ${attempt.durationMillis} ms.`)
}

const ping = companyForm((user) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    const sent = yield* ask(pingAndSample, "pingWebhookEndpoint", question)
    return yield* tried(user, question.path.mode, "The ping", sent)
  })
)

const sample = companyForm((user, fields) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    const body = { type: fields.get("type") ?? "" }
    const sent = yield* ask(pingAndSample, "sendSampleEvent", { ...question, body })
    return yield* tried(user, question.path.mode, "The example", sent)
  })
)

const askBeforeRemoving = companyPage((user) =>
  Effect.gen(function* () {
    const { mode } = (yield* endpointQuestion(user)).path
    const endpoint = yield* endpointOf(user, mode)
    if (endpoint === null) return yield* problem("NOT_FOUND", "webhookEndpoint")
    if (!isOwner(user)) return yield* ownersOnly()
    return yield* showPage(user, {
      heading: `Remove the ${mode} endpoint?`,
      content: html`<p class="long">
          Nothing is sent to ${endpoint.url} any more, and its secret is gone. Its delivery log stays, and events are
          kept.
        </p>
        <form method="post" action="${endpointPageOf(mode)}/remove">
          ${tokenField(user.formToken)}
          <button class="danger">Remove the endpoint</button>
        </form>
        <p><a href="${endpointPageOf(mode)}">Keep it</a></p>`
    })
  })
)

const remove = companyForm((user) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    yield* ask(webhookEndpointOperations, "removeWebhookEndpoint", question)
    return yield* redirectTo(webhooksPath, `The ${question.path.mode} endpoint is removed. Its log stays.`)
  })
)

/** A form's time is of a minute, in UTC. */
const momentOf = (minute: string): string => (minute === "" ? "" : `${minute.slice(0, 16)}:00Z`)

const resendRange = companyForm((user, fields) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    const [since = "", journeyId = ""] = ["since", "journeyId"].map((name) => (fields.get(name) ?? "").trim())
    const types = fields.getAll("types")
    const delivered = fields.has("delivered")
    const body = {
      since: momentOf(since),
      delivered,
      ...(types.length === 0 ? {} : { types }),
      ...(journeyId === "" ? {} : { journeyId })
    }
    const task = yield* orShownAgain(ask(deliveryOperations, "startResend", { ...question, body }), fields)
    // The task has a state of its own.
    if ("state" in task && typeof task.state === "object") return yield* endpointPage(user, { resend: task.state })
    return yield* redirectTo(`${endpointPageOf(question.path.mode)}/resends/${task.id}`)
  })
)

const path = `${webhooksPath}/:mode` as const

export const endpointChangeRoutes = [
  { method: "POST", path, handle: save },
  { method: "POST", path: `${path}/switch`, handle: turn },
  { method: "POST", path: `${path}/roll-secret`, handle: roll },
  { method: "POST", path: `${path}/ping`, handle: ping },
  { method: "POST", path: `${path}/sample`, handle: sample },
  { method: "GET", path: `${path}/remove`, handle: askBeforeRemoving },
  { method: "POST", path: `${path}/remove`, handle: remove },
  { method: "POST", path: `${path}/resend`, handle: resendRange }
] as const
