/** The page that shows a new key, once, with the first request that a program can make with it. */
import { Effect } from "effect"
import type { NewApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { overviewOperations } from "../../api/overview.ts"
import { ask } from "../../server/ask.ts"
import { html } from "../../server/html.ts"
import { addressShown } from "../frame/addressShown.ts"
import { consolePath } from "../frame/consoleFrame.ts"
import { showPage, type CompanyUser } from "../frame/consolePage.ts"
import { areStepsLeft } from "../overview/firstSteps.ts"
import { keysPath } from "./keyParts.ts"
import { onceScripts, shownOnce } from "../frame/shownOnce.ts"

/** The first request of a new key: one that changes nothing where the key may read. */
const firstRequest = (baseUrl: string, { key, scopes }: NewApiKeyResource): string =>
  scopes.includes("journeys:read")
    ? `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/api/v1/journeys`
    : `curl -X POST -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{}' ${baseUrl}/api/v1/journeys`

export const newKeyPage = (user: CompanyUser, heading: string, made: NewApiKeyResource) =>
  Effect.gen(function* () {
    const baseUrl = yield* addressShown(user)
    // The key is shown now or never, whatever becomes of this.
    const isNew = yield* ask(overviewOperations, "getOverview", { path: user.path }).pipe(
      Effect.map(({ firstSteps }) => areStepsLeft(user, firstSteps)),
      Effect.orElseSucceed(() => false)
    )
    return yield* showPage(user, {
      heading,
      scripts: onceScripts,
      content: html`${shownOnce("key", made.key)}
        <h2>The first request</h2>
        <pre class="long"><code id="request" translate="no">${firstRequest(baseUrl, made)}</code></pre>
        <p>
          <button type="button" class="secondary" data-copies="request" hidden>Copy the request</button>
          <span role="status" data-copied></span>
        </p>
        ${
          made.scopes.includes("journeys:read")
            ? html`<p>It answers with the list of your journeys, which may be empty.</p>`
            : html`<p>It answers with what a journey needs: an empty one is refused, and nothing is started.</p>`
        }
        <p><a href="/docs">What the API can do</a>, with examples.</p>
        <p>
          <a role="button" href="${isNew ? consolePath : keysPath}">I have copied the key</a>
        </p>`
    })
  })
