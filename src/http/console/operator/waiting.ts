/** What the active journeys of all companies wait on, the longest waiting first. */
import { Duration, Effect } from "effect"
import { waitingOn } from "../../../schema/journey/steps.ts"
import { inWords } from "../../documents/durations.ts"
import { waitingOperations } from "../../api/installation/waitingJourneys.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorPage, showPage } from "../frame/consolePage.ts"
import { formOf } from "../frame/forms.ts"
import { consoleLimits } from "../frame/limits.ts"
import { listTable, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { listedWords } from "../words/listedWords.ts"
import { companyLink, openJourney } from "./listedCells.ts"

const path = `${operatorPath}/waiting`

const waits = [
  { value: "", label: "However long" },
  ...consoleLimits.waitsAskedFor.map((wait) => ({
    value: String(Duration.toHours(wait)),
    label: inWords(Duration.toMillis(wait))
  }))
]

const words: Readonly<Record<(typeof waitingOn)[number], string>> = { ...listedWords.waits, UNKNOWN: "Not known yet" }

const showWaiting = operatorPage((user) =>
  Effect.gen(function* () {
    const given = pageQuery(user)
    const query = { waitingOn: given("waitingOn"), olderThan: given("olderThan"), after: given("after") }
    const { content, next } = yield* ask(waitingOperations, "listWaitingJourneys", { query })
    return yield* showPage(user, {
      heading: "Waiting",
      content: html`${formOf(user, {
        id: "filter",
        action: path,
        button: "Show",
        asks: true,
        isRow: true,
        fields: [
          {
            is: "select",
            name: "waitingOn",
            label: "Waits on",
            value: query.waitingOn,
            choices: [{ value: "", label: "Anything" }, ...waitingOn.map((value) => ({ value, label: words[value] }))]
          },
          { is: "select", name: "olderThan", label: "For longer than", value: query.olderThan, choices: waits }
        ]
      })}
      ${listTable({
        caption: "Active journeys, the longest waiting first",
        head: ["Waits on", "Since", "Company", "Mode", "Journey", ""],
        empty: html`<p>
          No journey waits like this. When companies start journeys, those that wait the longest stand here first.
        </p>`,
        rows: content.map((one) => [
          words[one.waitingOn],
          shownTime(one.since),
          companyLink(one),
          listedWords.modesWithin[one.mode],
          html`<code>${one.journeyId}</code>`,
          openJourney(user, one)
        ]),
        next: next === null ? null : withQuery(path, { ...query, after: next })
      })}`
    })
  })
)

export const operatorWaitingRoutes = [{ method: "GET", path, handle: showWaiting }] as const
