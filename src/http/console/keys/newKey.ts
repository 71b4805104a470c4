/** The page that shows a new key, once, with the first request that a program can make with it. */
import { Effect } from "effect"
import type { NewApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { startExamples } from "../../../schema/start/examples.ts"
import { overviewOperations } from "../../api/company/overview.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { addressShown } from "../../server/pages/addressShown.ts"
import { consolePath } from "../frame/consoleFrame.ts"
import { showPage, type CompanyUser } from "../frame/consolePage.ts"
import { areStepsLeft } from "../overview/firstSteps.ts"
import { keysPath } from "./keyParts.ts"
import { onceScripts, shownOnce } from "../frame/shownOnce.ts"

interface FirstRequest {
  readonly request: string
  /** What its answer is. */
  readonly says: string
}

/** The first request of a new key: one that changes nothing. Null: the key may neither read nor write. */
const firstRequest = (baseUrl: string, { key, scopes }: NewApiKeyResource): FirstRequest | null => {
  const authorization = `-H 'Authorization: Bearer ${key}'`
  if (scopes.includes("journeys:read")) {
    return {
      request: `curl ${authorization} ${baseUrl}/api/v1/journeys`,
      says: "It answers with the list of your journeys, which may be empty."
    }
  }
  return scopes.includes("journeys:write")
    ? {
        request: `curl -X POST ${authorization} -H 'Content-Type: application/json' -d '{}' ${baseUrl}/api/v1/journeys/validate`,
        says: "It answers with what is wrong with a journey that says nothing, and starts none."
      }
    : null
}

/** A test key that may start journeys is shown how: the example is one that every company may start. */
const startRequest = (baseUrl: string, { key, mode, scopes }: NewApiKeyResource): string | null =>
  mode === "TEST" && scopes.includes("journeys:write")
    ? [
        `curl -X POST ${baseUrl}/api/v1/journeys`,
        `-H 'Authorization: Bearer ${key}'`,
        "-H 'Idempotency-Key: first-try-1'",
        "-H 'Content-Type: application/json'",
        `-d '${JSON.stringify(startExamples.IDENTITY_DELIVERY).replaceAll("'", String.raw`'\''`)}'`
      ].join(" \\\n  ")
    : null

const shownRequest = (id: string, request: string): Html =>
  html`<pre class="long"><code id="${id}" translate="no">${request}</code></pre>
    <p>
      <button type="button" class="secondary" data-copies="${id}" hidden>Copy the request</button>
      <span role="status" data-copied></span>
    </p>`

export const newKeyPage = (user: CompanyUser, heading: string, made: NewApiKeyResource) =>
  Effect.gen(function* () {
    const baseUrl = yield* addressShown(user)
    const first = firstRequest(baseUrl, made)
    const start = startRequest(baseUrl, made)
    // The key is shown now or never, whatever becomes of this.
    const isNew = yield* ask(overviewOperations, "getOverview", { path: user.path }).pipe(
      Effect.map(({ firstSteps }) => areStepsLeft(user, firstSteps)),
      Effect.orElseSucceed(() => false)
    )
    return yield* showPage(user, {
      heading,
      scripts: onceScripts,
      content: html`${shownOnce("key", made.key)}
        ${
          first !== null &&
          html`<h2>The first request</h2>
            ${shownRequest("request", first.request)}
            <p>${first.says}</p>`
        }
        ${
          start !== null &&
          html`<h2>Start a test journey with it</h2>
            ${shownRequest("start", start)}
            <p>
              The journey advances by itself, a step every few seconds, and stands in the list of journeys. The same
              request again answers with the same journey: another journey needs another <code>Idempotency-Key</code>.
            </p>`
        }
        <p><a href="/docs">What the API can do</a>, with examples.</p>
        <p>
          <a role="button" href="${isNew ? consolePath : keysPath}">I have copied the key</a>
        </p>`
    })
  })
