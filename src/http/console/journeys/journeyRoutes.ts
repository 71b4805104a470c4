/**
 * The page of a journey, /console/journeys/{id}: the page, its changing part, the stream that says when that part has changed,
 * and the team's own steps. What is shown and done is asked of the operations; nothing here knows a rule.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { buttonCalls, teamButtons, type ButtonCall } from "../../../schema/journey/actions.ts"
import { TimelineOrder } from "../../../schema/review/timeline.ts"
import { customerSessionOperations } from "../../api/team/customerSessions.ts"
import { journeyActionOperations } from "../../api/actions/journeyActions.ts"
import { teamOperations } from "../../api/team/team.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { consoleHeaders } from "../frame/consoleFrame.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { cancelRoutes } from "./cancelRoutes.ts"
import { journeyRoute, pathAsked } from "./journeyAsked.ts"
import { journeyParts, journeyPath, type JourneyShown, type TimelineShown } from "./journeyParts.ts"
import { listedWords } from "../words/listedWords.ts"
import { JourneyWatch } from "./JourneyWatch.ts"
import { consoleLimits } from "../frame/limits.ts"
import { changedEvent, endEvent, liveStream } from "./liveStream.ts"
import { factList } from "../frame/lists.ts"
import { isOwner } from "../frame/owners.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { keptWhenRefused } from "../frame/renewing.ts"
import { isLook, looks } from "../../server/pages/looks.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const isOrder = (text: string): text is TimelineOrder =>
  (TimelineOrder.literals as ReadonlyArray<unknown>).includes(text)

const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0)

/** A query that makes no sense shows the newest lines. */
const timelineAsked = (user: CompanyUser): TimelineShown => {
  const asked = pageQuery(user)
  const order = asked("order")
  const lines = Math.max(wholeNumber(asked("lines")), consoleLimits.timelineLines)
  return {
    order: isOrder(order) ? order : "NEWEST_FIRST",
    lines: Math.min(lines, largestPageSize),
    page: wholeNumber(asked("page")),
    upTo: wholeNumber(asked("upTo")) || null
  }
}

const shownJourney = Effect.fnUntraced(function* (user: CompanyUser) {
  const path = yield* pathAsked(user)
  const asked = timelineAsked(user)
  const query = { order: asked.order, size: asked.lines, page: asked.page, upTo: asked.upTo ?? undefined }
  const overview = yield* ask(journeyActionOperations, "getCompanyJourney", { path })
  const actions = yield* ask(journeyActionOperations, "getJourneyActions", { path })
  const sessions = yield* ask(customerSessionOperations, "listCustomerSessions", { path })
  const { content, totalElements } = yield* ask(teamOperations, "getTimeline", { path, query })
  return {
    id: path.journeyId,
    overview,
    actions,
    entries: content,
    totalLines: totalElements,
    sessions,
    asked,
    formToken: user.formToken,
    isOwner: isOwner(user)
  } satisfies JourneyShown
})

/**
 * An older page of the timeline does not change; only the first page asks for itself again. One request for the part runs at a time: what somebody asked for gives up an answer that is under way,
 * which would show the timeline as it was before (`moreOf`).
 */
const content = (shown: JourneyShown): Html => {
  const path = journeyPath(shown.id)
  const parts = html`<div id="changing">${journeyParts(shown)}</div>`
  if (shown.asked.page > 0) {
    return html`${factsOf(shown)}
      <p><a href="${path}">To the present state</a></p>
      ${parts}`
  }
  return html`${factsOf(shown)}
    <div
      hx-get="${path}/part"
      hx-include="#timeline-asked"
      hx-trigger="${changedEvent}"
      hx-target="#changing"
      hx-swap="innerMorph"
      hx-sync="#changing:queue last"
      hx-headers="${looks}"
      ${keptWhenRefused}
    >
      <p class="live">
        <span
          role="status"
          hx-sse:connect="${path}/live"
          hx-sse:close="${endEvent}"
          hx-swap="innerHTML"
          hx-headers="${looks}"
          ${keptWhenRefused}
        ></span>
        <a href="${path}">Look again</a>
      </p>
      ${parts}
    </div>`
}

const headingsOf = ({ overview: { journey, registration } }: JourneyShown) => {
  const heading = `${journey.livemode ? "Journey" : "Test journey"}: ${listedWords.types[journey.type].toLowerCase()}`
  return registration === null
    ? { heading }
    : { heading, shownHeading: html`<bdi>${registration}</bdi> <small>${heading}</small>` }
}

type Fact = readonly [name: string, value: Shown]

const isGiven = ([, value]: Fact): boolean => value !== false

const factsOf = ({ id, isOwner: mayErase, overview }: JourneyShown): Html => {
  const { customerName, journey, registration, testClock } = overview
  const mode = journey.livemode ? "live" : "test"
  const facts: ReadonlyArray<Fact> = [
    ["Customer", customerName === null ? "Erased customer" : html`<bdi>${customerName}</bdi>`],
    ["Vehicle", registration !== null && html`<bdi>${registration}</bdi>`],
    ["Id", html`<code>${id}</code>`],
    ["External reference", journey.externalReference !== null && html`<bdi>${journey.externalReference}</bdi>`],
    ["Type", html`${listedWords.types[journey.type]}, ${mode}`],
    ["Started", shownTime(journey.createdAt)],
    [
      "Test clock",
      testClock !== null &&
        html`<code>${testClock}</code><br /><small>The times of this journey are the clock's.</small>`
    ]
  ]
  return html`${factList(facts.filter(isGiven))}
    <p class="links">
      <a href="${journeyPath(id)}/case">Case file${mayErase && " and export"}</a>
      <a href="${journeyPath(id)}/correct">Correct the customer's data</a>
      ${mayErase && html`<a href="${journeyPath(id)}/erase">Erase the customer</a>`}
      <a href="/console/webhooks/${mode}/deliveries?journeyId=${id}">Webhook deliveries</a>
      <a href="/console/requests?mode=${journey.livemode ? "LIVE" : "TEST"}&amp;journeyId=${id}">API requests</a>
      <a href="/console/journeys">All journeys</a>
    </p>`
}

/**
 * A change that comes while somebody waits for more lines asks for the part as it was before: this event, which comes after the lines,
 * takes the place of that question.
 */
const lookAgain = { "hx-trigger": JSON.stringify({ [changedEvent]: { target: "#changing" } }) }

const live = (user: CompanyUser) =>
  Effect.gen(function* () {
    const path = yield* pathAsked(user)
    // Answers for a journey that is not the company's as the page does.
    yield* ask(journeyActionOperations, "getCompanyJourney", { path })
    const watch = yield* JourneyWatch
    const stream = liveStream({
      shown: user.request.headers["last-event-id"] ?? null,
      open: watch.open(path.journeyId, user.session)
    })
    return HttpServerResponse.stream(stream, {
      contentType: "text/event-stream",
      headers: { ...consoleHeaders, "cache-control": "no-store, no-transform", "x-accel-buffering": "no" }
    })
  })

/** The form of a call without a body. */
const buttonRoute = (name: ButtonCall) =>
  ({
    method: "POST",
    path: `${journeyRoute}/${teamButtons[name].as}`,
    handle: companyForm((user) =>
      Effect.gen(function* () {
        const path = yield* pathAsked(user)
        yield* ask(teamOperations, name, { path })
        return yield* redirectTo(journeyPath(path.journeyId), teamButtons[name].done)
      })
    )
  }) as const

export const journeyRoutes = [
  {
    method: "GET",
    path: journeyRoute,
    handle: companyPage((user) =>
      Effect.flatMap(shownJourney(user), (shown) => showPage(user, { ...headingsOf(shown), content: content(shown) }))
    )
  },
  {
    method: "GET",
    path: `${journeyRoute}/part`,
    handle: companyPage((user) =>
      Effect.map(shownJourney(user), (shown) =>
        HttpServerResponse.text(journeyParts(shown).text, {
          contentType: "text/html; charset=utf-8",
          headers: { ...consoleHeaders, ...(isLook(user.request) ? {} : lookAgain) }
        })
      )
    )
  },
  { method: "GET", path: `${journeyRoute}/live`, handle: companyPage(live) },
  ...buttonCalls.map(buttonRoute),
  {
    method: "POST",
    path: `${journeyRoute}/end-session`,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const path = yield* pathAsked(user)
        const customerSessionId = fields.get("customerSessionId") ?? ""
        yield* ask(customerSessionOperations, "endCustomerSession", { path: { ...path, customerSessionId } })
        return yield* redirectTo(journeyPath(path.journeyId), "The customer's session was ended.")
      })
    )
  },
  {
    method: "POST",
    path: `${journeyRoute}/simulate`,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const path = yield* pathAsked(user)
        const event = fields.get("event") ?? ""
        yield* ask(teamOperations, "forceOutcome", { path, body: { event } })
        return yield* redirectTo(journeyPath(path.journeyId), `Forced: ${event}.`)
      })
    )
  },
  ...cancelRoutes
] as const
