/**
 * The page of a company's journeys: filters in the address, and a search in a form, because what is searched for may be personal
 * and an address is written into logs and histories. The list can be saved as a file, as it is filtered. The page shows what the
 * operations of `api/team/journeyList.ts` answer.
 */
import { Clock, Duration, Effect } from "effect"
import type { ListedJourneyResource, WaitingOn } from "../../../schema/company/ListedJourney.ts"
import type { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import type { Mode } from "../../../schema/Mode.ts"
import { ageText } from "../../../schema/ageText.ts"
import { timestamp } from "../../../schema/moment.ts"
import { journeyListOperations } from "../../api/team/journeyList.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { companyForm, companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { csvFile } from "../frame/csvFile.ts"
import { dayFields, daysIn, fewerDays, spanOfDays, type Days } from "../frame/days.ts"
import { asFirstShown, formOf, orShownAgain, statusWith, type Choice, type ConsoleFormState } from "../frame/forms.ts"
import { listedWords } from "../words/listedWords.ts"
import { listTable, moreFound, saveAsFile, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { renewedList, renewScripts } from "../frame/renewing.ts"
import { searchForm } from "../frame/searchForm.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { journeyColumns, lineOfJourney } from "./journeyColumns.ts"

const path = "/console/journeys"

const { statuses, types, modes, waits } = listedWords

/** How long a journey has waited at least, in hours, as the filter offers it. */
const waitedFor: Readonly<Record<string, string>> = {
  "1": "An hour or longer",
  "24": "A day or longer",
  "72": "Three days or longer",
  "168": "A week or longer"
}

const choices = (any: string, words: Readonly<Record<string, string>>): ReadonlyArray<Choice> => [
  { value: "", label: any },
  ...Object.entries(words).map(([value, label]) => ({ value, label }))
]

const filterNames = ["status", "type", "mode", "waitingOn", "waitedFor"] as const
type Filters = Readonly<Record<(typeof filterNames)[number] | keyof Days, string>>

const filterForm = (user: CompanyUser, filters: Filters, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "filter",
    action: path,
    button: "Show",
    all: unfiltered(path, filters),
    asks: true,
    isRow: true,
    state,
    fields: [
      { is: "select", name: "status", label: "Status", value: filters.status, choices: choices("Any", statuses) },
      { is: "select", name: "type", label: "Type", value: filters.type, choices: choices("Any", types) },
      { is: "select", name: "mode", label: "Mode", value: filters.mode, choices: choices("Live and test", modes) },
      {
        is: "select",
        name: "waitingOn",
        label: "Waits on",
        value: filters.waitingOn,
        choices: choices("Anything", waits)
      },
      {
        is: "select",
        name: "waitedFor",
        label: "For",
        value: filters.waitedFor,
        choices: choices("Any time", waitedFor)
      },
      ...dayFields(filters, "Started from", "Started to")
    ]
  })

const searchFormOf = searchForm({
  action: path,
  label: "Search all journeys",
  hint: "Registration, the customer's email, external reference or its beginning, or the id of a journey, an event or a request. Customers are not found by their names."
})

const cellsOf =
  (now: number) =>
  ({ customerName, journey, registration, waitingOn, waitingSince }: ListedJourneyResource): ReadonlyArray<Shown> => [
    html`<a href="${path}/${journey.id}"
      >${registration === null ? html`<em>erased</em>` : html`<bdi>${registration}</bdi>`}</a
    >`,
    customerName === null ? "Erased customer" : html`<bdi>${customerName}</bdi>`,
    html`${types[journey.type]}<br /><small>${journey.livemode ? modes.LIVE : modes.TEST}</small>`,
    statuses[journey.status],
    waitingOn === null ? "–" : waits[waitingOn],
    waitingSince === null
      ? "–"
      : html`${ageText(Date.parse(waitingSince), now)}<br /><small>since ${shownTime(waitingSince)}</small>`,
    shownTime(journey.createdAt),
    journey.externalReference === null ? "–" : html`<bdi>${journey.externalReference}</bdi>`
  ]

const head = ["Vehicle", "Customer", "Type", "Status", "Waits on", "For", "Started", "External reference"]

const noJourneyYet = html`<p>Your company has no journey yet. A journey starts when your own system asks for it:</p>
  <ol>
    <li><a href="/console/keys">Make an API key</a>. A test key costs nothing and mails nobody you do not name.</li>
    <li>
      Send <code>POST /api/v1/journeys</code> with the key: <a href="/docs">the documentation</a> has a request to copy.
    </li>
    <li>The journey appears here, and a journey of a test key goes on by itself.</li>
  </ol>`

/** What was looked for, in the words of the form. */
const shownFilters = ({ mode, since, status, type, until, waitedFor: hours, waitingOn }: Filters): string =>
  [
    statuses[status as JourneyStatus],
    types[type as JourneyType],
    modes[mode as Mode],
    waitingOn === "" ? undefined : `waits on: ${waits[waitingOn as WaitingOn]}`,
    hours === "" ? undefined : `for ${waitedFor[hours]?.toLowerCase()}`,
    since === "" ? undefined : `started from ${since}`,
    until === "" ? undefined : `started to ${until}`
  ]
    .filter((words) => words !== undefined)
    .join("; ")

const noneLikeThat = (filters: Filters): Html =>
  html`<p>No journey is like that (${shownFilters(filters)}). <a href="${path}">Show all journeys</a></p>`

/** The journeys that the address asks for. */
const listAsked = (user: CompanyUser) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const asked = pageQuery(user)
    const chosen = Object.fromEntries(filterNames.map((name) => [name, asked(name)])) as Omit<Filters, keyof Days>
    const days = daysIn(asked)
    const filters: Filters = { ...chosen, ...days }
    const { waitedFor: hours, ...others } = chosen
    // Anything else goes to the operation as it is, which says what is wrong with it.
    const waitingSince = Object.hasOwn(waitedFor, hours)
      ? timestamp(now - Duration.toMillis(Duration.hours(Number(hours))))
      : hours
    return {
      now,
      filters,
      piece: (place: { readonly after: string | undefined; readonly size?: number }) =>
        ask(journeyListOperations, "listCompanyJourneys", {
          path: user.path,
          query: { ...others, ...spanOfDays(days), waitingSince, ...place }
        })
    }
  })

const listPage = (user: CompanyUser, refused: ConsoleFormState = asFirstShown) =>
  Effect.gen(function* () {
    const after = pageQuery(user)("after")
    const { filters, now, piece } = yield* listAsked(user)
    const { content, next } = yield* piece({ after })
    const isFiltered = unfiltered(path, filters) !== null
    return yield* showPage(user, {
      heading: "Journeys",
      status: statusWith(refused),
      scripts: renewScripts,
      content: html`${searchFormOf(user, "", asFirstShown)} ${filterForm(user, filters, refused)}
      ${renewedList(
        withQuery(path, { ...filters, after }),
        now,
        listTable({
          caption: "Journeys, the newest first",
          head,
          empty: isFiltered ? noneLikeThat(filters) : after === "" ? noJourneyYet : noOlder,
          rows: content.map(cellsOf(now)),
          next: next === null ? null : withQuery(path, { ...filters, after: next })
        })
      )}
      ${content.length > 0 && saveAsFile(withQuery(`${path}/journeys.csv`, filters))}`
    })
  })

/** Each piece of the file is a look at names, and stands in the audit log as the same piece of the page does. */
const saveJourneys = (user: CompanyUser) =>
  Effect.flatMap(listAsked(user), ({ filters, piece }) =>
    csvFile(
      {
        name: ["journeys", ...filterNames.map((name) => filters[name].toLowerCase()), filters.since, filters.until],
        columns: journeyColumns,
        filters,
        tooMany: fewerDays,
        pieceAt: ({ cursor, size }) =>
          Effect.map(piece({ after: cursor, size }), ({ content, next }) => ({
            content: content.map(lineOfJourney),
            next
          }))
      },
      (state) => listPage(user, state)
    )
  )

const noOlder = html`<p>There are no older journeys. <a href="${path}">The newest journeys</a></p>`

/** Answers the form itself, without a redirect: what was searched for stays out of every address. */
const searchPage = (user: CompanyUser, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const [search, after] = [fields.get("search") ?? "", fields.get("after")]
    const now = yield* Clock.currentTimeMillis
    const found = yield* orShownAgain(
      ask(journeyListOperations, "searchJourneys", {
        path: user.path,
        body: { search, ...(after === null ? {} : { after }) }
      }),
      fields
    )
    const state = "state" in found ? found.state : asFirstShown
    const shown = "state" in found ? null : found
    return yield* showPage(user, {
      heading: "Journeys",
      status: shown === null ? pageStatus.unusable : pageStatus.shown,
      content: html`${searchFormOf(user, search, state)}
        <p><a href="${path}">Show all journeys</a></p>
        ${
          shown !== null &&
          html`${listTable({
            caption: "Journeys found, the newest first",
            head,
            empty: html`<p>
              Nothing was found for “<bdi>${search.trim()}</bdi>”. A registration and an email are found whole, in any
              case; an external reference also by its beginning. Customers are not found by their names, and a customer
              who was erased is not found by anything personal. What a broker has named your company for is under
              <a href="/console/handovers">Handovers</a>.
            </p>`,
            rows: shown.content.map(cellsOf(now))
          })}
          ${shown.next !== null && moreFound(user.formToken, path, { search, next: shown.next })}`
        }`
    })
  })

export const journeyListRoutes = [
  { method: "GET", path, handle: companyPage((user) => listPage(user)) },
  { method: "GET", path: `${path}/journeys.csv`, handle: companyPage(saveJourneys) },
  { method: "POST", path, handle: companyForm(searchPage) }
] as const
