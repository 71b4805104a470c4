/**
 * The page of the request log: the refusals of the last days by code, and below them the requests themselves, with filters in the
 * address. What the log holds is described where it is written; it has no body, no value and no person, so neither has the page.
 */
import { Clock, Duration, Effect } from "effect"
import type { ApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { requestLogLimits } from "../../../schema/company/limits.ts"
import type { RequestErrorsResource } from "../../../schema/company/RequestErrors.ts"
import { requestMethods, type RequestLineResource } from "../../../schema/company/RequestLine.ts"
import { Mode } from "../../../schema/Mode.ts"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { errorCodes } from "../../../schema/problems.ts"
import { keyOperations } from "../../api/company/keys.ts"
import { companyRequestOperations } from "../../api/journeys/requestLog.ts"
import { inWords } from "../../documents/durations.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { shownSecond, shownTime } from "../../server/pages/shownTime.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, formOf, orShownAgain, type ConsoleFormState } from "../frame/forms.ts"
import { listTable, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { renewedList, renewedPart, renewScripts } from "../frame/renewing.ts"
import { listedWords } from "../words/listedWords.ts"

const path = "/console/requests"

const filterNames = ["mode", "method", "outcome", "code", "keyId", "journeyId"] as const
type Filters = Readonly<Record<(typeof filterNames)[number], string>>

const filtersOf = (asked: (name: string) => string): Filters => ({
  mode: asked("mode").trim() || "TEST",
  method: asked("method").trim(),
  outcome: asked("outcome").trim(),
  code: asked("code").trim(),
  keyId: asked("keyId").trim(),
  journeyId: asked("journeyId").trim()
})

type Keys = ReadonlyArray<ApiKeyResource>

const wordsOf = ({ last4, name }: ApiKeyResource): string => (name === "" ? `…${last4}` : `${name} (…${last4})`)

const filterForm = (user: CompanyUser, filters: Filters, keys: Keys, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "filter",
    action: path,
    button: "Show",
    all: unfiltered(withQuery(path, { mode: filters.mode }), { ...filters, mode: "" }),
    asks: true,
    isRow: true,
    state,
    fields: [
      {
        is: "select",
        name: "mode",
        label: "Mode",
        value: filters.mode,
        choices: Mode.literals.map((value) => ({ value, label: listedWords.modes[value] }))
      },
      {
        is: "select",
        name: "method",
        label: "Method",
        value: filters.method,
        choices: [{ value: "", label: "Any" }, ...requestMethods.map((value) => ({ value, label: value }))]
      },
      {
        is: "select",
        name: "outcome",
        label: "Answers",
        value: filters.outcome,
        choices: [
          { value: "", label: "Any" },
          { value: "REFUSED", label: "Refused" },
          { value: "SUCCEEDED", label: "Not refused" }
        ]
      },
      {
        is: "select",
        name: "code",
        label: "Code",
        value: filters.code,
        choices: [{ value: "", label: "Any" }, ...errorCodes.toSorted().map((value) => ({ value, label: value }))]
      },
      {
        is: "select",
        name: "keyId",
        label: "API key",
        value: filters.keyId,
        choices: [{ value: "", label: "Any" }, ...keys.map((key) => ({ value: key.id, label: wordsOf(key) }))]
      },
      { is: "text", name: "journeyId", label: "Journey (its id)", value: filters.journeyId, autocomplete: "off" }
    ]
  })

/** The key by its name; one that is not among the company's latest keys by the end of its id. */
const keyShown = (keys: Keys, id: string): Html => {
  const key = keys.find((one) => one.id === id)
  return html`<a href="/console/keys/${id}"
    >${key === undefined ? html`<code>…${id.slice(-6)}</code>` : html`<bdi>${key.name === "" ? wordsOf(key) : key.name}</bdi>`}</a
  >`
}

const codeShown = (code: string | null): Shown =>
  code === null ? "–" : html`<a href="/docs/errors/${code}"><code>${code}</code></a>`

const otherMode = (mode: string): Mode => (mode === "LIVE" ? "TEST" : "LIVE")

/** The keys of one mode are looked at; refusals of the keys of the other would be seen by nobody who does not choose that mode. */
const ofOtherMode = ({ errors }: RequestErrorsResource, mode: Mode): Shown => {
  const count = errors.reduce((sum, one) => sum + one.count, 0)
  const words = `${count} ${count === 1 ? "request" : "requests"} with ${listedWords.modesWithin[mode]} keys`
  return (
    count > 0 &&
    html`<p><a href="${withQuery(path, { mode })}">${words}</a> ${count === 1 ? "was" : "were"} refused.</p>`
  )
}

const groups = ({ errors, since }: RequestErrorsResource, mode: Mode, keys: Keys): Shown =>
  errors.length > 0 &&
  html`<h2>Refused with ${listedWords.modesWithin[mode]} keys, by code</h2>
    <p>Since ${shownTime(since)}.</p>
    ${listTable({
      caption: "Refused requests by code, the most frequent first",
      head: ["Code", "Requests", "Last", "With the key"],
      empty: null,
      rows: errors.map(({ code, count, lastAt, lastKeyId }) => [
        codeShown(code),
        html`<a href="${withQuery(path, { mode, code })}">${count}</a>`,
        shownSecond(lastAt),
        keyShown(keys, lastKeyId)
      ])
    })}`

/** The refusals of one mode by code, and how many the other has. */
const refusals = Effect.fnUntraced(function* (user: CompanyUser, mode: Mode, keys: Keys) {
  const count = (of: Mode) =>
    ask(companyRequestOperations, "countRequestErrors", { path: user.path, query: { mode: of } })
  const other = otherMode(mode)
  const counted = yield* count(mode)
  return html`${groups(counted, mode, keys)} ${ofOtherMode(yield* count(other), other)}
  ${counted.errors.length > 0 && html`<h2>Requests</h2>`}`
})

const cellsOf =
  (keys: Keys) =>
  (line: RequestLineResource): ReadonlyArray<Shown> => [
    shownSecond(line.at),
    html`<code>${line.route}</code>${line.isReplay && html`<br /><small>replayed</small>`}`,
    line.status ?? "dropped",
    html`${codeShown(line.code)}${line.fields.length > 0 && html`<br /><code>${line.fields.join(", ")}</code>`}`,
    line.durationMillis,
    line.journeyId === null ? "–" : html`<a href="/console/journeys/${line.journeyId}">${line.journeyId.slice(-6)}</a>`,
    keyShown(keys, line.keyId),
    html`<code translate="no">${line.requestId}</code>`
  ]

const head = ["Time", "Request", "Status", "Code, fields at fault", "ms", "Journey", "API key", "Request-Id"]

/** What the log has, and what never: whoever sees it empty asks. */
const holds = html`<p>
  The log keeps each request with an API key for ${inWords(Duration.toMillis(requestLogLimits.keptFor))}: its time, key,
  method and route, status, code, the names of the fields at fault, milliseconds, Request-Id, journey, and whether it
  was a replay. It never keeps a body, a value, a query or a person's data. A request that was refused for its key or
  for the rate limit is not in it. A new request appears within
  ${inWords(Duration.toMillis(requestLogLimits.shownWithin))}.
</p>`

const nothing = (filters: Filters, hasMore: boolean): Html => {
  const other = otherMode(filters.mode)
  if (hasMore) return html`<p>No request among those looked at is like that. There are older ones.</p>`
  if (filterNames.some((name) => name !== "mode" && filters[name] !== ""))
    return html`<p>
      No request is like that. <a href="${withQuery(path, { mode: filters.mode })}">Show all requests</a>
    </p>`
  return html`<p>No request here.</p>
    ${holds}
    <p><a href="${withQuery(path, { mode: other })}">Requests with ${listedWords.modesWithin[other]} keys</a></p>`
}

const show = companyPage((user) =>
  Effect.gen(function* () {
    const asked = pageQuery(user)
    const filters = filtersOf(asked)
    const cursor = asked("cursor").trim()
    const own = { path: user.path }
    const keyPage = yield* ask(keyOperations, "listApiKeys", { ...own, query: { size: largestPageSize } })
    const found = yield* orShownAgain(
      ask(companyRequestOperations, "listCompanyRequests", { ...own, query: { ...filters, cursor } }),
      new URLSearchParams({ ...filters })
    )
    const isRefused = "state" in found
    const { content, next } = isRefused ? { content: [], next: null } : found
    const keys = keyPage.content
    const isFirst = cursor === "" && !isRefused
    const refused = isFirst ? yield* refusals(user, filters.mode === "LIVE" ? "LIVE" : "TEST", keys) : null
    const older = next === null ? null : withQuery(path, { ...filters, cursor: next })
    const here = withQuery(path, { ...filters, cursor })
    return yield* showPage(user, {
      scripts: renewScripts,
      heading: "Requests",
      status: isRefused ? pageStatus.unusable : pageStatus.shown,
      content: html`<p>What your programs have asked of the API with your keys, and what they were answered.</p>
        ${refused !== null && renewedPart({ id: "refused", path: here, content: refused })}
        ${filterForm(
          user,
          filters,
          keys.filter(({ mode }) => mode === filters.mode),
          isRefused ? found.state : asFirstShown
        )}
        ${
          !isRefused &&
          renewedList(
            here,
            yield* Clock.currentTimeMillis,
            html`${listTable({
              caption: "Requests, the newest first",
              head,
              empty: nothing(filters, next !== null),
              rows: content.map(cellsOf(keys))
            })}
            ${older !== null && html`<p><a rel="next" href="${older}">Older requests</a></p>`}`
          )
        }`
    })
  })
)

export const requestRoutes = [{ method: "GET", path, handle: show }] as const
