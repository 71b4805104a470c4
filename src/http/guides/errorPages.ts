/**
 * A page for each error code, which every answer with the code names in its `Link` header: when it comes, an example, what to
 * do, and the operations that answer with it. All of it is read from the catalogue and the endpoints.
 */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../schema/problems.ts"
import { remedies } from "../../schema/remedies.ts"
import { endpointsByName } from "../api/contract.ts"
import { failureExamples } from "../documents/failureExamples.ts"
import type { Route } from "../server/answers/answering.ts"
import { refusalsOfAnyRequest } from "../server/answers/commonRefusals.ts"
import { codesOf } from "../server/answers/envelope.ts"
import { html, Html } from "../server/pages/html.ts"
import { errorPagePath } from "../server/answers/problems.ts"
import { errorsPath, guideResponse } from "./guideFrame.ts"
import { guideLimits } from "./limits.ts"

/** Our own sentences mark code as Markdown does. */
const sentence = (text: string): Html =>
  new Html(html`${text}`.text.replaceAll(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`))

const examples: Readonly<Record<string, { readonly value: unknown }>> = failureExamples(errorCodes)

const written = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}")

const operationsWith = (code: ErrorCode): ReadonlyArray<string> =>
  [...endpointsByName.values()]
    .filter(({ error }) => [...error].some((one) => codesOf(one).includes(code)))
    .map(({ method, path }) => `${method} ${written(path)}`)

const answeredBy = (code: ErrorCode): Html => {
  if (refusalsOfAnyRequest.includes(code)) return html`<p>Any request can be answered with it.</p>`
  const operations = operationsWith(code)
  return html`<details ${operations.length <= guideLimits.mostOperationsOpen && html`open`}>
    <summary>
      ${operations.length} ${operations.length === 1 ? "operation answers" : "operations answer"} with it
    </summary>
    <ul>
      ${operations.map((operation) => html`<li><code>${operation}</code></li>`)}
    </ul>
  </details>`
}

const errorPage = (code: ErrorCode) => {
  const { meaning, status } = errorCatalogue[code]
  return guideResponse({
    heading: code,
    section: errorsPath,
    content: html`<p class="lead">Status ${status}. ${sentence(meaning)}.</p>
      <h2>What to do</h2>
      <p>${sentence(remedies[code])}</p>
      <h2>An answer with it</h2>
      <pre tabindex="0"><code>${JSON.stringify(examples[code]?.value, null, 2)}</code></pre>
      <h2>Who answers with it</h2>
      ${answeredBy(code)}
      <p><a href="${errorsPath}">All error codes</a></p>`
  })
}

const list = guideResponse({
  heading: "Error codes",
  section: errorsPath,
  content: html`<p>
      Every failure has one form: <code>errors</code> lists each problem with <code>field</code>, <code>code</code> and
      <code>message</code>. Act on the code of the first; its status is the status of the answer. The header
      <code>Link</code> leads to the page of that code.
    </p>
    <div class="codes">
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">When it comes</th>
          </tr>
        </thead>
        <tbody>
          ${errorCodes.map(
            (code) =>
              html`<tr>
                <th scope="row"><a href="${errorPagePath(code)}">${code}</a></th>
                <td data-title="Status">${errorCatalogue[code].status}</td>
                <td>${sentence(errorCatalogue[code].meaning)}</td>
              </tr>`
          )}
        </tbody>
      </table>
    </div>`
})

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCatalogue, text)

const noSuchCode = guideResponse({
  heading: "No such code",
  status: 404,
  content: html`<p>The service answers with no such code. <a href="${errorsPath}">All error codes</a></p>`
})

export const errorPageRoutes: ReadonlyArray<Route<HttpRouter.RouteContext>> = [
  { method: "GET", path: errorsPath, handle: () => Effect.succeed(list) },
  {
    method: "GET",
    path: `${errorsPath}/:code`,
    handle: () => Effect.map(HttpRouter.params, ({ code = "" }) => (isCode(code) ? errorPage(code) : noSuchCode))
  }
]
