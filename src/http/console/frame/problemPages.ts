/**
 * What the console says about a problem, and the decision which problems are told by a page of the console. Which problems exist,
 * and with which status, is decided by the catalogue (`schema/problems.ts`).
 */
import { problemAnswer } from "../../app/frame/problemPages.ts"
import { homeProblemAnswer } from "../../home/problemPage.ts"
import type { AnswerProblem, RequestHead } from "../../server/answers/answering.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { statusOf, type Problem } from "../../server/answers/problems.ts"
import { consolePath, consoleResponse, type ConsoleContent } from "./consoleFrame.ts"
import { typedTexts } from "./typedTexts.ts"

const back = html`<p><a href="${consolePath}">To the console</a></p>`

/** A refusal for the role says what the operation says; nothing else of it is a secret to a member. */
const headingOf = ({ errors: [{ code }] }: Problem): string => {
  switch (code) {
    case "NOT_FOUND":
    case "METHOD_NOT_ALLOWED":
      return "There is no such page"
    case "ROLE_NOT_PERMITTED":
      return "Your role does not permit this"
    case "CONFLICT":
      return "This is not possible now"
    case "RATE_LIMITED":
      return "Too many requests"
    case "TEMPORARILY_UNAVAILABLE":
      return "The service cannot answer now"
    default:
      return statusOf(code) < pageStatus.internal ? "The request could not be read" : "Something went wrong"
  }
}

const textOf = ({ errors }: Problem): Shown => {
  switch (errors[0].code) {
    case "NOT_FOUND":
    case "METHOD_NOT_ALLOWED":
      return html`<p>The page is not there, or is not for you to see.</p>`
    case "TEMPORARILY_UNAVAILABLE":
      return html`<p>Nothing was changed. Please try again in a moment.</p>`
    case "INTERNAL_ERROR":
      return html`<p>The operator finds the reason in the log by the answer's Request-Id.</p>`
    default:
      return html`<ul>
        ${errors.map(({ message }) => html`<li>${message}</li>`)}
      </ul>`
  }
}

/** `from`: the page of the form that was refused, if that is known. */
export const problemContent = (failure: Problem, from: string | null = null): ConsoleContent => ({
  heading: headingOf(failure),
  status: statusOf(failure.errors[0].code),
  ...(failure.headers === undefined ? {} : { headers: failure.headers }),
  content: html`${textOf(failure)} ${from !== null && html`<p><a href="${from}">Back to the page</a></p>`} ${back}`
})

export const forgedContent: ConsoleContent = {
  heading: "The form is out of date",
  status: pageStatus.forged,
  content: html`<p>Nothing was changed. Please open the page again and send the form once more.</p>
    ${back}`
}

/** The form of a page that is older than the session: whoever sent it did so here, so that the page repeats what was typed. */
export const outdatedContent = (fields: URLSearchParams): ConsoleContent => ({
  ...forgedContent,
  content: html`${forgedContent.content} ${typedTexts(fields)}`
})

/** `signIn`: where to sign in, with the way back to the page of the form. `fields`: null where they cannot be told. */
export const sessionEndedContent = (signIn: string, fields: URLSearchParams | null): ConsoleContent => ({
  heading: "Your session has ended",
  status: pageStatus.signInFirst,
  content: html`<p role="alert">Nothing was changed. Please sign in, and send the form once more.</p>
    <p><a role="button" href="${signIn}" target="_blank" rel="noopener">Sign in, in a new tab</a></p>
    ${fields !== null && typedTexts(fields)}`
})

/** Nobody knows whether the change was made. */
export const unknownOutcomeContent = (path: string): ConsoleContent => ({
  heading: "It is not certain what happened",
  status: pageStatus.unavailable,
  content: html`<p>
      The connection to the database broke while the change was being written. Please look whether it is there.
    </p>
    <p><a role="button" href="${path}">Look</a></p>`
})

const isApp = ({ url }: RequestHead): boolean => /^\/+app(?![^/?])/.test(url)

const onHome = homeProblemAnswer(problemAnswer)

const elsewhere: AnswerProblem = (asked, failure) =>
  isApp(asked) ? problemAnswer(asked, failure) : onHome(asked, failure)

const isConsole = ({ headers, url }: RequestHead): boolean =>
  /^\/+console(?![^/?])/.test(url) && !/\bapplication\/json\b/i.test(headers["accept"] ?? "")

/** The answer to a problem, in the form that the sender of the request can read. */
export const consoleProblemAnswer: AnswerProblem = (asked, failure) =>
  isConsole(asked) ? consoleResponse(null, problemContent(failure)) : elsewhere(asked, failure)
