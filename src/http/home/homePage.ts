/**
 * The home page at /: whether the service is well, and where its documents are. On somebody's own machine it also shows the
 * demo companies, the last test journeys, and buttons that start one.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { consoleSignInPath } from "../../actors/members/consolePaths.ts"
import { stepAskedOf } from "../../actors/journey/rules/state/waiting.ts"
import { journeyResource } from "../../actors/journey/rules/projection.ts"
import { everyJourney, JourneyStore } from "../../actors/journey/actor/JourneyStore.ts"
import type { Journey } from "../../actors/journey/rules/state/Journey.ts"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { Shape } from "../../schema/journey/statuses.ts"
import { readForm } from "../server/bodies/form.ts"
import { refuseForeign } from "../server/callers/forgery.ts"
import { html, type Html } from "../server/pages/html.ts"
import { progressScriptPath } from "../app/frame/assets.ts"
import { pageHeaders } from "../app/frame/page.ts"
import { pageStatus } from "../server/pages/pageStatus.ts"
import { Readiness } from "../ops/Readiness.ts"
import type { Route } from "../server/answers/answering.ts"
import { problem } from "../server/answers/problems.ts"
import { demoFor, homePath, homeResponse, mailboxPath } from "./homeFrame.ts"
import { homeLimits } from "./limits.ts"
import type { DemoCompany, DemoInUse } from "./LocalDemo.ts"
import { wellness } from "./wellness.ts"

type Request = HttpServerRequest.HttpServerRequest

const startPath = "/start-test-journey"

const shapeNames: Readonly<Record<Shape, string>> = {
  FINANCE_ALREADY_SUBMITTED: "Finance, already submitted",
  FINANCE_SUBMIT_VIA_MIRA: "Finance, submitted by the service",
  IDENTITY_DELIVERY: "Identity and handover",
  CASH_SALE: "Cash sale",
  FINANCE_SALE: "Finance sale with the customer's photo"
}

const links = (hasMailbox: boolean): Html =>
  html`<ul class="links">
    <li>
      <a href="/console">Console</a>: for the people of a company, and <a href="/console/operator">for the operator</a>
    </li>
    <li>
      <a href="/docs/guides">Guides</a>, the <a href="/docs">documentation of the API</a>, and the same as OpenAPI:
      <a href="/openapi.json">journeys</a>, <a href="/openapi/settings.json">settings</a>,
      <a href="/openapi/callbacks.json">callbacks</a>
    </li>
    ${hasMailbox && html`<li><a href="${mailboxPath}">Mailbox</a>: every mail that the service would have sent</li>`}
  </ul>`

/** What scrolls is reached by keys, and has a name. */
const scrollingTable = (label: string, head: ReadonlyArray<string>, body: Html): Html =>
  html`<div class="scrolls" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      ${body}
    </table>
  </div>`

const companyRows = (companies: ReadonlyArray<DemoCompany>, hasMailbox: boolean): Html =>
  html`<h2>Demo companies</h2>
    ${scrollingTable(
      "Demo companies",
      ["Name", "Kind", "First owner", "Id"],
      html`<tbody>
        ${companies.map(
          ({ adminEmail, id, kind, name }) =>
            html`<tr>
              <td>${name}</td>
              <td>${kind === "DEALER" ? "Dealer" : "Broker"}</td>
              <td>${adminEmail}</td>
              <td><code>${id}</code></td>
            </tr>`
        )}
      </tbody>`
    )}
    ${
      hasMailbox &&
      html`<p>
        To see a company's console, <a href="${consoleSignInPath}">sign in</a> with the address of its first owner: the
        mail with the link comes to the <a href="${mailboxPath}">mailbox</a>.
      </p>`
    }
    <p class="hint">The companies' API keys are in <code>demo.json</code> in the folder of the service's data.</p>`

const inWords = (code: string): string => code.replaceAll("_", " ").toLowerCase()

const stateOf = (journey: Journey): string => {
  const { nextAction, status } = journeyResource(journey)
  if (status !== "ACTIVE") return inWords(status)
  return `waits: ${nextAction === null ? "for the service" : inWords(nextAction)}`
}

const journeyRow = (journey: Journey): Html =>
  html`<tr>
    <td>${shapeNames[journey.shape]}</td>
    <td>${stateOf(journey)}</td>
    <td>
      <a id="mails-${journey.id}" href="${mailboxPath}?journeyId=${journey.id}"
        >${stepAskedOf(journey) === null ? "its mails" : "its mails, with the link for the customer"}</a
      >
    </td>
    <td><code>${journey.id}</code></td>
  </tr>`

const lastTestJourneys = "Last test journeys"

/** The page's script puts the newest rows in their place. */
const journeyRows = (journeys: ReadonlyArray<Journey>): Html =>
  journeys.length === 0
    ? html`<p>There is no test journey yet. Start one: it goes on by itself, a step every few seconds.</p>`
    : scrollingTable(
        lastTestJourneys,
        ["Journey", "State", "Mail", "Id"],
        html`<tbody id="progress" data-page="${homePath}">
          ${journeys.map(journeyRow)}
        </tbody>`
      )

const startForm = html`<form method="post" action="${startPath}" class="start">
  ${Shape.literals.map((shape) => html`<button name="shape" value="${shape}">${shapeNames[shape]}</button>`)}
</form>`

/** The last test journeys of the demo companies, newest first. */
const lastJourneys = Effect.fnUntraced(function* ({ companies }: DemoInUse) {
  const store = yield* JourneyStore
  const { journeysShown: size } = homeLimits
  const lists = yield* Effect.forEach(companies, ({ id }) =>
    store.list({ companyId: id, livemode: false }, { filter: everyJourney, from: { page: 0 }, size })
  )
  const all = lists.flatMap(({ content }) => content)
  return all.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, size)
})

const showHome = Effect.fnUntraced(function* (request: Request) {
  const readiness = yield* Readiness
  const checks = yield* readiness.checks
  const demo = yield* demoFor(request)
  const { list } = yield* Mailbox
  const journeys = demo === null ? null : yield* lastJourneys(demo)
  return homeResponse({
    heading: "Journeys",
    ...(journeys === null || journeys.length === 0 ? {} : { script: progressScriptPath }),
    content: html`${wellness(checks)}
      <p>This service runs vehicle-sale journeys: finance, identity check and handover.</p>
      ${links(demo !== null && list !== null)}
      ${
        journeys === null
          ? null
          : html`<h2>Start a test journey</h2>
              ${startForm}
              <h2>${lastTestJourneys}</h2>
              ${journeyRows(journeys)}`
      }
      ${demo === null ? null : companyRows(demo.companies, list !== null)}`
  })
})

const isShape = (text: string | null): text is Shape => Shape.literals.some((shape) => shape === text)

const startJourney = Effect.fnUntraced(function* (request: Request) {
  const demo = yield* demoFor(request)
  if (demo === null) return yield* problem("NOT_FOUND", "path")
  const form = yield* readForm(request)
  const shape = form.get("shape")
  if (!isShape(shape)) return yield* problem("VALIDATION_FAILED", "shape", "shape must be one of the five shapes")
  if (!(yield* demo.start(shape))) {
    return homeResponse({
      heading: "The journey could not be started",
      status: pageStatus.unavailable,
      content: html`<p>The service is busy, or the demo company's test key was revoked. Nothing was started.</p>
        <p><a class="button" href="${homePath}">Back, to try again</a></p>`
    })
  }
  return HttpServerResponse.empty({ status: pageStatus.seeOther, headers: { ...pageHeaders, location: homePath } })
})

export const homePageRoutes = [
  { method: "GET", path: homePath, handle: showHome },
  {
    method: "POST",
    path: startPath,
    handle: (request: Request) =>
      Effect.andThen(
        refuseForeign(request),
        Effect.suspend(() => startJourney(request))
      ).pipe(Effect.catchTag("Forged", () => Effect.fail(problem("NOT_FOUND", "path"))))
  }
] as const satisfies ReadonlyArray<Route<never> | Route<unknown>>
