/** Journeys that were set aside because they cannot be woken, with why, and another try for each. */
import { Effect } from "effect"
import { journeyActorLimits } from "../../../actors/journey/actor/limits.ts"
import type { SetAsideReason } from "../../../schema/installation/SetAsideJourney.ts"
import { setAsideOperations } from "../../api/installation/setAsideJourneys.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { html } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorForm, operatorPage, redirectTo, showPage } from "../frame/consolePage.ts"
import { listTable, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { listedWords } from "../words/listedWords.ts"
import { companyLink, openJourney } from "./listedCells.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const path = `${operatorPath}/set-aside`

const reasons: Readonly<Record<SetAsideReason, string>> = {
  UNREADABLE: "This version cannot read the stored journey: whoever asks for it gets an error",
  REFUSED: "Its own rules refused what was due",
  FAILED: "Handling what was due failed: see the log"
}

const showSetAside = operatorPage((user) =>
  Effect.gen(function* () {
    const query = { after: pageQuery(user)("after") }
    const { content, next } = yield* ask(setAsideOperations, "listSetAsideJourneys", { query })
    return yield* showPage(user, {
      heading: "Set aside",
      content: html`<p>
          A journey is set aside when it could not be woken ${journeyActorLimits.failedWakesBeforeAside} times in a row.
          Nothing happens in it by itself. It still answers its company and its customer, unless this version cannot
          read it: then every answer about it is an error. The log has the cause: look there for the journey's id. Mend
          the cause first, such as by running the newer version; then retry.
        </p>
        ${listTable({
          caption: "Journeys that were set aside, the longest first",
          head: ["Journey", "Company", "Mode", "Set aside", "Why", ""],
          empty: html`<p>No journey is set aside. There is nothing to do here.</p>`,
          rows: content.map((one) => [
            html`<code>${one.journeyId}</code>`,
            companyLink(one),
            listedWords.modesWithin[one.mode],
            shownTime(one.since),
            one.reason === null ? "Not known: an earlier version set it aside" : reasons[one.reason],
            html`${openJourney(user, one)}
              <form method="post" action="${path}/${one.journeyId}/retry" class="inline">
                ${tokenField(user.formToken)}<button aria-label="Retry journey ${one.journeyId}">Retry</button>
              </form>`
          ]),
          next: next === null ? null : withQuery(path, { after: next })
        })}`
    })
  })
)

const retry = operatorForm(() =>
  Effect.gen(function* () {
    const journeyId = yield* pathPart("journeyId")
    yield* ask(setAsideOperations, "retryJourney", { path: { journeyId } })
    return yield* redirectTo(path, "The journey is woken again. If that fails, it comes back to this list.")
  })
)

export const operatorSetAsideRoutes = [
  { method: "GET", path, handle: showSetAside },
  { method: "POST", path: `${path}/:journeyId/retry`, handle: retry }
] as const
