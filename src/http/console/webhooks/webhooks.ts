/** The page of a company's webhooks: both endpoints with their state, and how deliveries went. Each has a page of its own. */
import { Effect } from "effect"
import type { WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import type { EndpointStatisticsResource } from "../../../schema/webhook/EndpointStatistics.ts"
import { webhookStatistics } from "../../api/webhooks/webhookStatistics.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { attemptCharts } from "./attemptCharts.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { eventDocs, listenGuide, verification, webhookDocs } from "./verification.ts"
import { factList } from "../frame/lists.ts"
import { addressShown } from "../../server/pages/addressShown.ts"
import { isOwner } from "../frame/owners.ts"
import { onceScripts } from "../frame/shownOnce.ts"
import { keysPath } from "../keys/keyParts.ts"
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

const card = (user: CompanyUser, mode: ModeName, one: Found | null): Html =>
  html`<article>
    <header>
      <h2><a href="${endpointPageOf(mode)}">${titles[mode]}</a></h2>
    </header>
    ${
      one === null
        ? html`<p>No endpoint.</p>
            ${
              isOwner(user)
                ? html`<p>
                    <a role="button" class="outline" href="${endpointPageOf(mode)}">Set the ${mode} endpoint</a>
                  </p>`
                : html`<p>Only an owner of the company can set one.</p>`
            }`
        : html`${factList(endpointFacts(one.endpoint))} ${stateExplained(one.endpoint, mode)}
            ${attemptCharts(one.statistics, false)}
            <p>
              <a href="${endpointPageOf(mode)}">Settings</a> ·
              <a href="${endpointPageOf(mode)}/deliveries">Delivery log</a>
            </p>`
    }
  </article>`

/** The program of the client package: a company's people do not have the folder of the service. */
const listenLine = (baseUrl: string): string =>
  `JOURNEYS_URL=${baseUrl} JOURNEYS_KEY=svc_test_... npx --no @journeys/client listen --forward-to http://127.0.0.1:4000/hook`

/** What a webhook is for, for somebody who has none. */
export const webhooksExplained = (baseUrl: string): Html =>
  html`<p>
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
      <code>GET /api/v1/events</code>. <a href="${eventDocs}">How to follow events</a>. For a program on your own
      machine this command brings it the test events as webhooks, signed as they would be. Run it where the client
      package for Node is installed, with a test key of yours from the page <a href="${keysPath}">API keys</a>.
      <a href="${listenGuide}">What the command does, and where the package comes from</a>. It stands in for the test
      endpoint, and nothing of it is in the delivery log.
    </p>
    <pre class="long"><code id="listen" translate="no">${listenLine(baseUrl)}</code></pre>
    <p>
      <button type="button" class="secondary" data-copies="listen" hidden>Copy the command</button>
      <span role="status" data-copied></span>
    </p>`

const show = companyPage((user) =>
  Effect.gen(function* () {
    const test = yield* found(user, "test")
    const live = yield* found(user, "live")
    return yield* showPage(user, {
      heading: "Webhooks",
      scripts: onceScripts,
      content: html`${test === null && live === null && webhooksExplained(yield* addressShown(user))}
        <div class="cards">${card(user, "test", test)} ${card(user, "live", live)}</div>`
    })
  })
)

export const webhooksRoutes = [{ method: "GET", path: webhooksPath, handle: show }] as const
