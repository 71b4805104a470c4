/** The page of a company's webhooks: both endpoints with their state, and how deliveries went. Each has a page of its own. */
import { Effect } from "effect"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import type { EndpointStatisticsResource } from "../../../schema/webhook/EndpointStatistics.ts"
import { webhookStatistics } from "../../api/webhookStatistics.ts"
import { ask } from "../../server/ask.ts"
import { html, type Html } from "../../server/html.ts"
import { attemptCharts } from "./attemptCharts.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { eventDocs, verification, webhookDocs } from "./verification.ts"
import { factList } from "../frame/lists.ts"
import {
  endpointFacts,
  endpointOf,
  endpointPageOf,
  stateExplained,
  webhooksPath,
  type ModeName
} from "./endpointParts.ts"

const titles: Readonly<Record<ModeName, string>> = {
  test: "Test journeys",
  live: "Live journeys"
}

interface Found {
  readonly endpoint: WebhookEndpointResource
  readonly statistics: EndpointStatisticsResource
}

const found = (user: CompanyUser, mode: ModeName) =>
  Effect.gen(function* () {
    const endpoint = yield* endpointOf(user, mode)
    if (endpoint === null) return null
    const path = { ...user.path, mode }
    return { endpoint, statistics: yield* ask(webhookStatistics, "getWebhookStatistics", { path }) } satisfies Found
  })

const card = (mode: ModeName, one: Found | null): Html =>
  html`<article>
    <header>
      <h2><a href="${endpointPageOf(mode)}">${titles[mode]}</a></h2>
    </header>
    ${
      one === null
        ? html`<p>No endpoint.</p>
            <p><a role="button" class="outline" href="${endpointPageOf(mode)}">Set the ${mode} endpoint</a></p>`
        : html`${factList(endpointFacts(one.endpoint))} ${stateExplained(one.endpoint, mode)}
            ${attemptCharts(one.statistics, false)}
            <p>
              <a href="${endpointPageOf(mode)}">Settings</a> ·
              <a href="${endpointPageOf(mode)}/deliveries">Delivery log</a>
            </p>`
    }
  </article>`

/** What a webhook is for, for somebody who has none. */
export const webhooksExplained = html`<p>
    A webhook tells your own system what happens to your journeys, the moment it happens: a customer was verified, a
    handover is complete. You give us the address of a small program of yours, and we send each event there, signed.
  </p>
  <p>
    Verify each delivery by its signature, remember the event's id, because an event may arrive twice, and answer 2xx
    within ten seconds. <a href="${webhookDocs}">The documentation</a> has the rest.
  </p>
  ${verification}
  <p>
    Without a public address your program can read the same events from the API, as often as it likes:
    <code>GET /api/v1/events</code>. <a href="${eventDocs}">How to follow events</a>. For a program on your own machine
    <code>npm run journeys -- listen --forward-to http://127.0.0.1:4000/hook</code> brings it the test events as
    webhooks, signed as they would be. It stands in for the test endpoint, and nothing of it is in the delivery log.
  </p>`

const show = companyPage((user) =>
  Effect.gen(function* () {
    const test = yield* found(user, "test")
    const live = yield* found(user, "live")
    return yield* showPage(user, {
      heading: "Webhooks",
      content: html`${test === null && live === null && webhooksExplained}
        <div class="cards">${card("test", test)} ${card("live", live)}</div>`
    })
  })
)

export const webhooksRoutes = [{ method: "GET", path: webhooksPath, handle: show }] as const
