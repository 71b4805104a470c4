/**
 * The page of a path that is not there, for a browser that asks outside the customer's app and the console: somebody who has
 * mistyped an address reads a page, a program reads the envelope.
 */
import type { AnswerProblem, RequestHead } from "../server/answers/answering.ts"
import { html } from "../server/pages/html.ts"
import { statusOf, type Problem } from "../server/answers/problems.ts"
import { homePath, homeResponse } from "./homeFrame.ts"

/** Paths of the interfaces between programs, whatever reads them. */
const ofPrograms = /^\/+(?:api|settings|callbacks|openapi|health|metrics)(?![^/?.])/

const isBrowser = ({ headers, url }: RequestHead): boolean =>
  /\btext\/html\b/i.test(headers["accept"] ?? "") && !ofPrograms.test(url)

const isMissing = ({ errors: [{ code }] }: Problem): boolean => code === "NOT_FOUND" || code === "METHOD_NOT_ALLOWED"

/** `otherwise` answers every other request and every other problem. */
export const homeProblemAnswer =
  (otherwise: AnswerProblem): AnswerProblem =>
  (asked, failure) =>
    isBrowser(asked) && isMissing(failure)
      ? homeResponse({
          heading: "There is no such page",
          status: statusOf(failure.errors[0].code),
          headers: failure.headers ?? {},
          content: html`<p>The address may be mistyped, or the page may have moved.</p>
            <p><a class="button" href="${homePath}">To the home page</a></p>`
        })
      : otherwise(asked, failure)
