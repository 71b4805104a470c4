/** The webhook endpoints of all companies that nothing reaches, the longest failing first. */
import { Effect } from "effect"
import { failingEndpointOperations } from "../../api/installation/failingEndpoints.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorPage, showPage } from "../frame/consolePage.ts"
import { listTable, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { listedWords } from "../words/listedWords.ts"
import { companyLink } from "./listedCells.ts"

const path = `${operatorPath}/endpoints`

const showEndpoints = operatorPage((user) =>
  Effect.gen(function* () {
    const query = { after: pageQuery(user)("after") }
    const { content, next } = yield* ask(failingEndpointOperations, "listFailingEndpoints", { query })
    return yield* showPage(user, {
      heading: "Failing endpoints",
      content: html`<p>
          Every owner of the company gets a mail after an hour and after a day. After three days without an answer the
          endpoint is turned off, and its events are kept until the company resends them.
        </p>
        ${listTable({
          caption: "Endpoints that nothing reaches",
          head: ["Company", "Mode", "Address", "Failing since", "Last failure", "Now"],
          empty: html`<p>Every endpoint answers. There is nothing to do here.</p>`,
          rows: content.map((one) => [
            companyLink(one),
            listedWords.modesWithin[one.mode],
            one.url,
            shownTime(one.failingSince),
            one.lastFailedAt === null ? "–" : shownTime(one.lastFailedAt),
            one.offSince === null ? "tried again" : html`turned off ${shownTime(one.offSince)}`
          ]),
          next: next === null ? null : withQuery(path, { after: next })
        })}`
    })
  })
)

export const operatorEndpointsRoutes = [{ method: "GET", path, handle: showEndpoints }] as const
