/**
 * The delivery log of an endpoint and the page of one delivery: each attempt with the headers that were sent and the beginning of
 * the answer, and the body. What a receiver answered is shown as text and never as a page.
 */
import { Clock, Duration, Effect } from "effect"
import { eventTypes } from "../../../schema/journey/events.ts"
import { timestamp } from "../../../schema/moment.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import type { WebhookAttemptResource, WebhookDeliveryWithBody } from "../../../schema/webhook/WebhookDelivery.ts"
import { WebhookDeliveryStatus } from "../../../schema/WebhookDeliveryStatus.ts"
import { deliveryOperations } from "../../api/webhooks/deliveries.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { deliveryTable } from "./deliveryTable.ts"
import {
  attemptOutcomeOf,
  deliveryStatusWord,
  endpointPageOf,
  endpointQuestion,
  meaningOf,
  orNothing,
  webhooksPath,
  type ModeName
} from "./endpointParts.ts"
import { asFirstShown, formOf, orShownAgain, type ConsoleFormState } from "../frame/forms.ts"
import { isOwner } from "../frame/owners.ts"
import { consoleLimits } from "../frame/limits.ts"
import { factList, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { progressPart, renewedList, renewScripts } from "../frame/renewing.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

interface Filters {
  readonly status: string
  readonly type: string
  readonly journeyId: string
}

const filtersOf = (asked: (name: string) => string): Filters => ({
  status: asked("status").trim(),
  type: asked("type").trim(),
  journeyId: asked("journeyId").trim()
})

const filterForm = (user: CompanyUser, action: string, filters: Filters, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "filter",
    action,
    button: "Show",
    all: unfiltered(action, { ...filters }),
    asks: true,
    isRow: true,
    state,
    fields: [
      {
        is: "select",
        name: "status",
        label: "State",
        value: filters.status,
        choices: [
          { value: "", label: "all" },
          ...WebhookDeliveryStatus.literals.map((value) => ({ value, label: deliveryStatusWord(value) }))
        ]
      },
      {
        is: "select",
        name: "type",
        label: "Event",
        value: filters.type,
        choices: [{ value: "", label: "all" }, ...eventTypes.map((value) => ({ value, label: value }))]
      },
      {
        is: "text",
        name: "journeyId",
        label: "Journey (its id)",
        value: filters.journeyId,
        autocomplete: "off"
      }
    ]
  })

const nothingIn = (path: string, filters: Filters): Html =>
  unfiltered(path, { ...filters }) === null
    ? html`<p>No delivery here. Events of journeys appear as they happen, a ping at once.</p>`
    : html`<p>No delivery is like that. <a href="${path}">Show all deliveries</a></p>`

/** The page of a journey leads here, too, whatever its company has set. */
const neverSet = (mode: ModeName): Html =>
  html`<p>The company has no ${mode} webhook endpoint, so nothing is delivered.</p>
    <p><a href="${endpointPageOf(mode)}">The endpoint</a></p>`

const log = companyPage((user) =>
  Effect.gen(function* () {
    const question = yield* endpointQuestion(user)
    const { mode } = question.path
    const path = `${endpointPageOf(mode)}/deliveries`
    const given = pageQuery(user)
    const filters = filtersOf(given)
    const query = { ...filters, cursor: given("cursor").trim() }
    const asked = orShownAgain(
      ask(deliveryOperations, "listDeliveries", { ...question, query }),
      new URLSearchParams({ ...filters })
    )
    const found = yield* orNothing(asked)
    const heading = mode === "live" ? "Live delivery log" : "Test delivery log"
    if (found === null) return yield* showPage(user, { heading, content: neverSet(mode) })
    const isRefused = "state" in found
    const { content, next } = isRefused ? { content: [], next: null } : found
    const now = yield* Clock.currentTimeMillis
    const deliveries = html`${content.length === 0 ? nothingIn(path, filters) : deliveryTable(mode, content)}
    ${next !== null && html`<p><a rel="next" href="${withQuery(path, { ...filters, cursor: next })}">Older deliveries</a></p>`}`
    return yield* showPage(user, {
      scripts: renewScripts,
      heading,
      status: isRefused ? pageStatus.unusable : pageStatus.shown,
      content: html`${filterForm(user, path, filters, isRefused ? found.state : asFirstShown)}
        ${isRefused ? deliveries : renewedList(withQuery(path, query), now, deliveries)}
        <p><a href="${endpointPageOf(mode)}">The endpoint</a></p>`
    })
  })
)

const headers = (number: number, sent: WebhookAttemptResource["requestHeaders"]): Html =>
  html`<details>
    <summary>Request headers</summary>
    <div class="table" tabindex="0" role="region" aria-label="Request headers of attempt ${number}">
      <table>
        <caption>
          What was sent with the body
        </caption>
        <tbody>
          ${Object.entries(sent).map(
            ([name, value]) =>
              html`<tr>
                <th scope="row"><code>${name}</code></th>
                <td class="long"><code translate="no">${value}</code></td>
              </tr>`
          )}
        </tbody>
      </table>
    </div>
  </details>`

const triggers: Readonly<Record<WebhookAttemptResource["trigger"], string>> = {
  SCHEDULE: "by the schedule",
  RESEND: "sent again by hand",
  TEST: "a test"
}

const attemptShown = (attempt: WebhookAttemptResource): Html =>
  html`<article>
    <h2>Attempt ${attempt.number}: ${attemptOutcomeOf(attempt)}</h2>
    <p>${shownTime(attempt.at)}, ${attempt.durationMillis} ms, ${triggers[attempt.trigger]}.</p>
    ${attempt.error !== null && html`<p>${meaningOf(attempt)}</p>`} ${headers(attempt.number, attempt.requestHeaders)}
    ${
      attempt.answer !== null &&
      (attempt.answer === ""
        ? html`<p>The answer has no body.</p>`
        : html`<p>The answer, its first ${webhookLimits.keptAnswerBytes / 1024} KB:</p>
            <pre class="long"><code translate="no">${attempt.answer}</code></pre>`)
    }
  </article>`

const facts = (delivery: WebhookDeliveryWithBody): Html =>
  factList([
    ["State", html`<strong>${deliveryStatusWord(delivery.status)}</strong>`],
    ...(delivery.nextAttemptAt === null ? [] : [["Next attempt", shownTime(delivery.nextAttemptAt)] as const]),
    ["Event", html`<code>${delivery.id}</code>`],
    ["Happened", shownTime(delivery.createdAt)],
    ...(delivery.journeyId === null
      ? []
      : [["Journey", html`<a href="/console/journeys/${delivery.journeyId}">${delivery.journeyId}</a>`] as const])
  ])

/** An attempt is about to be made: the page is worth another look. */
const isDueSoon = ({ nextAttemptAt }: WebhookDeliveryWithBody, now: number): boolean =>
  nextAttemptAt !== null && nextAttemptAt <= timestamp(now + Duration.toMillis(consoleLimits.dueSoon))

const attemptsOf = (delivery: WebhookDeliveryWithBody): Shown =>
  delivery.attempts.length === 0
    ? html`<p>Not attempted yet.</p>`
    : delivery.attempts.toReversed().map((attempt) => attemptShown(attempt))

const questionAbout = Effect.fnUntraced(function* (user: Parameters<typeof endpointQuestion>[0]) {
  const { path } = yield* endpointQuestion(user)
  return { path: { ...path, deliveryId: yield* pathPart("deliveryId") } }
})

const show = companyPage((user) =>
  Effect.gen(function* () {
    const question = yield* questionAbout(user)
    const { mode } = question.path
    const delivery = yield* ask(deliveryOperations, "getDelivery", question)
    const path = `${endpointPageOf(mode)}/deliveries/${delivery.id}`
    const isGoingOn = isDueSoon(delivery, yield* Clock.currentTimeMillis)
    return yield* showPage(user, {
      scripts: renewScripts,
      heading: `Delivery of ${delivery.type}`,
      content: html`${progressPart(path, isGoingOn, html`${facts(delivery)} ${attemptsOf(delivery)}`)}
        ${
          isOwner(user) &&
          html`<form method="post" action="${path}/resend">
            ${tokenField(user.formToken)}
            <button class="secondary">Send it again</button>
          </form>`
        }
        <h2>Body</h2>
        <pre class="long"><code translate="no">${delivery.body}</code></pre>
        <p><a href="${endpointPageOf(mode)}/deliveries">The delivery log</a></p>`
    })
  })
)

const resendOne = companyForm((user) =>
  Effect.gen(function* () {
    const question = yield* questionAbout(user)
    const { id } = yield* ask(deliveryOperations, "resendDelivery", question)
    return yield* redirectTo(`${endpointPageOf(question.path.mode)}/deliveries/${id}`, "The event is sent again.")
  })
)

const path = `${webhooksPath}/:mode/deliveries` as const

export const deliveryRoutes = [
  { method: "GET", path, handle: log },
  { method: "GET", path: `${path}/:deliveryId`, handle: show },
  { method: "POST", path: `${path}/:deliveryId/resend`, handle: resendOne }
] as const
