/** The nodes that run journeys, and the shards that each holds. */
import { Effect } from "effect"
import { installationOperations } from "../../api/installation/installation.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorPage, showPage } from "../frame/consolePage.ts"
import { listTable } from "../frame/lists.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const path = `${operatorPath}/runners`

const showRunners = operatorPage((user) =>
  Effect.gen(function* () {
    const { answeredBy, content, nodes, shards, shardsWithoutRunner } = yield* ask(
      installationOperations,
      "listRunners"
    )
    const isOne = nodes === "ONE"
    return yield* showPage(user, {
      heading: "Runners",
      content: html`${
        isOne
          ? html`<p>
              One node is the whole service: <code>REDIS_URL</code> is not set. It runs every journey, and while it is
              stopped nothing runs.
            </p>`
          : html`<p>
              Journeys are spread over ${shards} shards. This page was answered by
              ${answeredBy === null ? "a node without RUNNER_ADDRESS, which runs no journeys" : html`<code>${answeredBy}</code>`}.
            </p>`
      }
      ${
        shardsWithoutRunner > 0 &&
        html`<p role="status">
          <strong
            >${shardsWithoutRunner} of ${shards} shards have no runner now: their journeys stand still until one takes
            them, within ten seconds.</strong
          >
        </p>`
      }
      ${listTable({
        caption: "Nodes that run journeys",
        head: ["Address", "Healthy", "Since", "Shards"],
        empty: html`<p>No node runs journeys. Start one with <code>RUNNER_ADDRESS</code>.</p>`,
        rows: content.map(({ address, healthy, shards: held, since }) => [
          address === null
            ? "this node"
            : html`<code>${address}</code>${address === answeredBy && " (answered this page)"}`,
          healthy ? "yes" : html`<strong>no</strong>`,
          since === null ? "not known" : shownTime(since),
          held
        ])
      })}`
    })
  })
)

export const operatorRunnersRoutes = [{ method: "GET", path, handle: showRunners }] as const
