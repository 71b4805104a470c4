/** The queue of reviews, /console/reviews: what waits for the team, the longest waiting first. */
import { Clock, Effect } from "effect"
import { ageText } from "../../../schema/ageText.ts"
import type { OverviewResource } from "../../../schema/company/Overview.ts"
import { eventCatalogue } from "../../../schema/journey/events.ts"
import { ReviewKind } from "../../../schema/journey/ReviewKind.ts"
import type { Mode } from "../../../schema/Mode.ts"
import type { ReviewResource } from "../../../schema/review/Review.ts"
import { overviewOperations } from "../../api/company/overview.ts"
import { reviewOperations } from "../../api/team/reviews.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { reviewKeysPath } from "../frame/assets.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { listTable, pager, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { renewedList, renewScripts } from "../frame/renewing.ts"
import { reasonInWords, reviewKindNames } from "../words/reasonWords.ts"
import { keysHelp } from "./reviewKeys.ts"
import { openedByShown, othersOf } from "./reviewNow.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const path = "/console/reviews" as const

const cellsOf =
  (user: CompanyUser, kind: string, now: number) =>
  (one: ReviewResource): ReadonlyArray<Shown> => [
    html`<a href="${withQuery(`${path}/${one.id}`, { kind })}" data-row
        >${one.customerName === null ? "Erased customer" : html`<bdi>${one.customerName}</bdi>`}</a
      >
      ${openedByShown(othersOf(user, one.openedBy))}`,
    one.registration !== null && html`<bdi>${one.registration}</bdi>`,
    reviewKindNames[one.kind],
    html`${ageText(Date.parse(one.since), now)} <small>${shownTime(one.since)}</small>`,
    one.reasons.map((code) => html`<span class="case-reason">${reasonInWords(code)}</span> `),
    one.externalReference !== null && html`<bdi>${one.externalReference}</bdi>`
  ]

const modes = [
  ["LIVE", "Live journeys"],
  ["TEST", "Test journeys"]
] as const

/** How many reviews wait, by mode; a mode in which none waits is left out. */
type Waiting = OverviewResource["reviews"]

/** Counted up to a bound: of one kind, or of all. */
const countIn = (waiting: Waiting, mode: string, kind?: ReviewKind): string => {
  const found = waiting.find((one) => one.mode === mode)
  if (found === undefined) return "0"
  const { count } = kind === undefined ? found : (found.kinds.find((one) => one.kind === kind) ?? { count: 0 })
  return `${count}${found.isMore ? "+" : ""}`
}

/** Links of which one is where the page is. */
const switchOf = (label: string, links: ReadonlyArray<readonly [at: string, isHere: boolean, words: string]>): Html =>
  html`<nav aria-label="${label}" class="case-modes">
    <ul>
      ${links.map(
        ([at, isHere, words]) => html`<li><a href="${at}" ${isHere && html`aria-current="page"`}>${words}</a></li>`
      )}
    </ul>
  </nav>`

const modeSwitch = (mode: string, kind: string, waiting: Waiting): Html =>
  switchOf(
    "Mode",
    modes.map(([value, label]) => [
      withQuery(path, { mode: value, kind }),
      value === mode,
      `${label} (${countIn(waiting, value)})`
    ])
  )

const kindSwitch = (mode: string, kind: string, waiting: Waiting): Html =>
  switchOf("Kind", [
    [withQuery(path, { mode }), kind === "", "All reviews"],
    ...ReviewKind.literals.map(
      (value) =>
        [
          withQuery(path, { mode, kind: value }),
          value === kind,
          `${reviewKindNames[value]} (${countIn(waiting, mode, value)})`
        ] as const
    )
  ])

/** The mode in which something waits; the live one first. */
const modeToOpen = (waiting: Waiting): Mode =>
  waiting.length > 0 && waiting.every(({ mode }) => mode === "TEST") ? "TEST" : "LIVE"

const noneOfKind = (mode: string): Html =>
  html`<p>Nothing of this kind waits for you. <a href="${withQuery(path, { mode })}">Show all reviews</a></p>`

const nothingWaits = (mode: string): Html =>
  html`<p>Nothing waits for you.</p>
    <p>
      A review begins when no machine could decide an identity check or a handover video, or when a check could not be
      started. Whoever takes the team's mail, as the <a href="/console/team">team's page</a> shows, then gets a mail
      with a link to it; mail about test journeys goes to the administrator's address alone.
      ${
        mode === "TEST" &&
        html`To see one, open a test journey and force the outcome “${eventCatalogue["identity.under_review"].when}” or
        “${eventCatalogue["delivery.under_review"].when}” there. A test review that nobody opens decides itself after a
        few steps of the sandbox.`
      }
    </p>`

export const reviewsRoutes = [
  {
    method: "GET",
    path,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const asked = pageQuery(user)
        const { reviews: waiting } = yield* ask(overviewOperations, "getOverview", { path: user.path })
        const mode = asked("mode") || modeToOpen(waiting)
        const kind = asked("kind")
        const query = { mode, kind, page: asked("page") }
        const found = yield* ask(reviewOperations, "listReviews", { path: user.path, query })
        const now = yield* Clock.currentTimeMillis
        const here = withQuery(path, query)
        return yield* showPage(user, {
          heading: "Reviews",
          scripts: [reviewKeysPath, ...renewScripts],
          content: html`${renewedList(
            here,
            now,
            html`${modeSwitch(mode, kind, waiting)} ${kindSwitch(mode, kind, waiting)}
            ${listTable({
              caption: `${found.totalElements} waiting, the longest first`,
              head: ["Customer", "Registration", "What", "Waiting for", "Reasons", "Reference"],
              empty: kind === "" ? nothingWaits(mode) : noneOfKind(mode),
              rows: found.content.map(cellsOf(user, kind, now))
            })}
            ${
              found.content.length > 0 &&
              pager({
                page: found.page,
                totalPages: found.totalPages,
                at: (page) => withQuery(path, { ...query, page: String(page) }),
                before: "Longer waiting",
                behind: "Shorter waiting"
              })
            }`
          )}
          ${found.content.length > 0 && keysHelp(["J", "K", "Enter"])}`
        })
      })
    )
  }
] as const
