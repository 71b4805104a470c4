/**
 * The first page of the console: what fails and what runs out, what waits, the first steps of a new company, and what happened last. Work comes
 * before first steps; while nothing waits, first steps come first.
 */
import { Clock, Effect } from "effect"
import type { OverviewResource } from "../../../schema/company/Overview.ts"
import { byNextAction, STEPS, type waitingOn } from "../../../schema/journey/steps.ts"
import { overviewOperations } from "../../api/company/overview.ts"
import { testJourneyOperations } from "../../api/team/testJourneys.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { companyForm, companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { areStepsLeft, firstStepsList, redirectAfterStep, testJourneyForm, testJourneyPath } from "./firstSteps.ts"
import { asFirstShown, orShownAgain, type ConsoleFormState } from "../frame/forms.ts"
import { consoleLimits } from "../frame/limits.ts"
import { listTable, withQuery } from "../frame/lists.ts"
import { renewedList, renewScripts } from "../frame/renewing.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { eventInWords } from "../words/eventWords.ts"
import { listedWords } from "../words/listedWords.ts"

type WaitingOn = (typeof waitingOn)[number]

/** Whom a journey waits for, and for what. */
const waits: Readonly<Record<WaitingOn, readonly [who: "team" | "customers" | "others", what: string]>> = {
  SEND_FINANCE_DECISION: ["team", "your program sends the finance decision"],
  IDENTITY_UNDER_REVIEW: ["team", "somebody decides an identity check"],
  DEALER_TO_REVIEW: ["team", "somebody decides a review"],
  ...byNextAction((step) => ["customers", `the customer ${STEPS[step].team.does}`] as const),
  AWAITING_LENDER_DECISION: ["others", "the lender decides"],
  HANDOVER_BEING_CREATED: ["others", "the service creates the handover"],
  SERVICE: ["others", "the service works"],
  UNKNOWN: ["others", "not known yet"]
}

const atLeast = ({ count, isMore }: { readonly count: number; readonly isMore: boolean }): string =>
  isMore ? `more than ${count}` : String(count)

/** What the buttons to the reviews tell already. */
const reviewWaits: ReadonlySet<WaitingOn> = new Set(["IDENTITY_UNDER_REVIEW", "DEALER_TO_REVIEW"])

const waitingList = ({ reviews, waiting }: OverviewResource, who: "team" | "customers" | "others"): Shown => {
  const own = waiting.filter((one) => waits[one.waitingOn][0] === who && !reviewWaits.has(one.waitingOn))
  if (own.length === 0 && who === "team" && reviews.length > 0) return null
  if (own.length === 0) return html`<p>Nothing waits.</p>`
  return html`<ul>
    ${own.map(
      (one) =>
        html`<li>
          <a href="${withQuery("/console/journeys", { mode: one.mode, waitingOn: one.waitingOn })}"
            >${atLeast(one)} ${listedWords.modesWithin[one.mode]}</a
          >: ${waits[one.waitingOn][1]}
        </li>`
    )}
  </ul>`
}

/** What somebody must look at before anything else. */
const warningsOf = ({ endpoints, firstSteps, mailStoppedAt, wallets }: OverviewResource): ReadonlyArray<Html> => [
  ...(mailStoppedAt === null
    ? []
    : [
        html`Mail to customers is stopped since ${shownTime(mailStoppedAt)}:
          <a href="/console/company#mail">see why, and what to do</a>.`
      ]),
  ...endpoints.flatMap(({ failingSince, mode, offReason, offSince }) => {
    const link = html`<a href="/console/webhooks/${mode.toLowerCase()}"
      >${listedWords.modesWithin[mode]} webhook endpoint</a
    >`
    if (offReason !== null) {
      const why = offReason === "UNREACHABLE" ? ", because nothing reached it" : ", by hand"
      return [html`The ${link} is off${why}${offSince !== null && html`, since ${shownTime(offSince)}`}.`]
    }
    return failingSince === null ? [] : [html`The ${link} has been failing since ${shownTime(failingSince)}.`]
  }),
  ...wallets.flatMap(({ balance, held, wallet }) =>
    firstSteps.liveKey && balance > 0 && balance - held <= consoleLimits.fewCredits
      ? [
          html`<a href="/console/wallets">${listedWords.wallets[wallet]}</a>: ${balance - held} credits are free. Live
            starts are refused when there are none.`
        ]
      : []
  )
]

const warnings = (overview: OverviewResource): Shown => {
  const all = warningsOf(overview)
  return (
    all.length > 0 &&
    html`<section aria-label="Needs attention" class="attention">
      <h2>Needs attention</h2>
      <ul>
        ${all.map((one) => html`<li>${one}</li>`)}
      </ul>
    </section>`
  )
}

const lastEvents = ({ events }: OverviewResource): Html =>
  html`<h2>Last events</h2>
    ${listTable({
      caption: "What happened last",
      head: ["When", "Event", "Mode", "Journey"],
      empty: html`<p>Nothing has happened yet. Start a test journey: its events stand here a moment later.</p>`,
      rows: events.map(({ createdAt, journeyId, mode, type }) => [
        shownTime(createdAt),
        eventInWords(type),
        listedWords.modesWithin[mode],
        journeyId === null ? "–" : html`<a href="/console/journeys/${journeyId}"><code>${journeyId}</code></a>`
      ])
    })}`

const reviewButtons = ({ reviews: open }: OverviewResource): Shown =>
  open.map(
    (one) =>
      html`<p>
        <a role="button" href="${withQuery("/console/reviews", { mode: one.mode })}"
          >${atLeast(one)} open ${listedWords.modesWithin[one.mode]} ${one.count === 1 ? "review" : "reviews"}</a
        >
      </p>`
  )

const waitsFor = (overview: OverviewResource): Html =>
  html`<div class="waits-for">
    <section>
      <h2>Waits for your team</h2>
      ${reviewButtons(overview)} ${waitingList(overview, "team")}
    </section>
    <section>
      <h2>Waits for customers</h2>
      ${waitingList(overview, "customers")}
    </section>
    <section>
      <h2>Waits for others</h2>
      ${waitingList(overview, "others")}
    </section>
  </div>`

const isTeamAwaited = ({ reviews, waiting }: OverviewResource): boolean =>
  reviews.length > 0 || waiting.some(({ waitingOn }) => waits[waitingOn][0] === "team")

const overviewPage = (user: CompanyUser, state: ConsoleFormState) =>
  Effect.gen(function* () {
    const overview = yield* ask(overviewOperations, "getOverview", { path: user.path })
    const hasSteps = areStepsLeft(user, overview.firstSteps)
    const form = testJourneyForm(user, state)
    const steps = firstStepsList(overview.firstSteps, form)
    const isRefused = state.errors.length > 0
    const now = yield* Clock.currentTimeMillis
    const changing = html`${!user.company.active && html`<p class="refused">The company is turned off: its keys do not work.</p>`}
    ${warnings(overview)}
    ${isTeamAwaited(overview) ? [waitsFor(overview), hasSteps && steps] : [hasSteps && steps, waitsFor(overview)]}
    ${lastEvents(overview)}`
    return yield* showPage(user, {
      heading: user.company.name,
      scripts: renewScripts,
      status: isRefused ? pageStatus.unusable : pageStatus.shown,
      // What was refused stands in the part, in the form of the first steps: it would be gone.
      content: html`${isRefused ? changing : renewedList("/console", now, changing)}
      ${
        (!hasSteps || overview.firstSteps.testJourney) &&
        html`<h2>Try something out</h2>
          ${form}`
      }`
    })
  })

const startTestJourney = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const body = { shape: fields.get("shape") ?? "" }
    const started = yield* orShownAgain(
      ask(testJourneyOperations, "startTestJourney", { path: user.path, body }),
      fields
    )
    if ("state" in started) return yield* overviewPage(user, started.state)
    return yield* redirectAfterStep(
      user,
      `/console/journeys/${started.id}`,
      "The test journey has started. It advances by itself."
    )
  })

export const overviewRoutes = [
  { method: "GET", path: "/console", handle: companyPage((user) => overviewPage(user, asFirstShown)) },
  { method: "POST", path: testJourneyPath, handle: companyForm(startTestJourney) }
] as const
