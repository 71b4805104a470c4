/**
 * The pages that answer problems of requests, and the decision which requests get a page: people read pages, programs read
 * the envelope. Which problems exist, and with which status, is decided by the catalogue.
 */
import type { HttpServerResponse } from "effect/http"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { STEPS } from "../../../schema/journey/steps.ts"
import type { ErrorCode } from "../../../schema/problems.ts"
import type { ProblemWords } from "../../../schema/words/en/problems.ts"
import type { RequestHead } from "../../server/answers/answering.ts"
import { problemResponse, statusOf, type Problem } from "../../server/answers/problems.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { visitorFrame } from "./language.ts"
import { pageResponse, type Frame } from "./page.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The pages' scripts ask at paths of their own, send the token of their page in a header, or say that they read JSON. */
const isFromScript = ({ headers, url }: RequestHead): boolean =>
  /^\/+app\/+[\w-]+-uploads(?![^/?])/.test(url) ||
  headers["x-form-token"] !== undefined ||
  /\bapplication\/json\b/i.test(headers["accept"] ?? "")

/** Every request under /app, except the requests of the pages' scripts. */
const isForPeople = (asked: RequestHead): boolean => /^\/+app(?![^/?])/.test(asked.url) && !isFromScript(asked)

/** The answer to a problem, in the form that the sender of the request can read. */
export const problemAnswer = (asked: RequestHead, failure: Problem): Response =>
  isForPeople(asked) ? problemPage(asked, failure) : problemResponse(failure)

/** What the page of a problem says. A code that is not listed is our own mistake. */
const roomOf: Readonly<Partial<Record<ErrorCode, keyof ProblemWords["of"]>>> = {
  NOT_FOUND: "noSuchPage",
  METHOD_NOT_ALLOWED: "noSuchPage",
  PAYLOAD_TOO_LARGE: "tooLarge",
  UNSUPPORTED_MEDIA_TYPE: "unreadable",
  VALIDATION_FAILED: "unreadable",
  REQUEST_TIMEOUT: "tooSlow",
  HEADERS_TOO_LARGE: "headersTooLarge",
  RATE_LIMITED: "tooFast",
  TEMPORARILY_UNAVAILABLE: "away"
}

const stepPaths = Object.values(STEPS).map(({ app }) => app.path)

/** The step at whose page the problem came up. */
const stepPathOf = ({ url }: RequestHead): string | undefined => stepPaths.find((path) => url.split("?", 1)[0] === path)

/** Back to the page of the step, where the customer may try again, and to the journey. */
const waysBack = (asked: RequestHead, { words }: Frame): Html => {
  const path = stepPathOf(asked)
  return html`${path !== undefined && html`<p><a class="button" href="${path}">${words.frame.tryAgain}</a></p>`}
    <p><a class="alone" href="${journeyPagePath}">${words.frame.backToJourney}</a></p>`
}

/** The frame of the page. What was asked for may be nothing that a browser can open again. */
const frameFor = (asked: RequestHead): Frame => ({ ...visitorFrame(asked), back: stepPathOf(asked) ?? journeyPagePath })

/**
 * Nobody knows whether what the customer sent was taken. A program's connection is dropped then; a browser might show
 * nothing, or send the form again by itself.
 */
export const unknownOutcomePage = (asked: RequestHead): Response | null => {
  if (!isForPeople(asked)) return null
  const frame = frameFor(asked)
  const { heading, look } = frame.words.problems.unknownOutcome
  return pageResponse({
    ...frame,
    status: pageStatus.unavailable,
    isProblem: true,
    heading,
    content: html`<p>${look}</p>
      <p><a class="button" href="${journeyPagePath}">${frame.words.frame.seeJourney}</a></p>`
  })
}

/** A problem as a page. */
const problemPage = (asked: RequestHead, failure: Problem): Response => {
  const { code } = failure.errors[0]
  const frame = frameFor(asked)
  const { heading, text } = frame.words.problems.of[roomOf[code] ?? "anything"]
  return pageResponse({
    ...frame,
    status: statusOf(code),
    isProblem: true,
    heading,
    ...(failure.headers === undefined ? {} : { headers: failure.headers }),
    content: html`<p>${text}</p>
      ${waysBack(asked, frame)}`
  })
}
