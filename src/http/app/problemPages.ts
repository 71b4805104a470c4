/**
 * The pages that answer problems of requests, and the decision which requests get a page: people read pages, programs read
 * the envelope. Which problems exist, and with which status, is decided by the catalogue.
 */
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import type { ErrorCode } from "../../schema/problems.ts"
import { problemResponse, statusOf, type Problem } from "../server/problems.ts"
import { html } from "./html.ts"
import { pageResponse } from "./page.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Every request under /app, except the requests of the video page's script. */
const isForPeople = ({ url }: Request): boolean =>
  /^\/+app(?![^/?])/.test(url) && !/^\/+app\/+video-uploads(?![^/?])/.test(url)

/** The answer to a problem, in the form that the sender of the request can read. */
export const problemAnswer = (request: Request, failure: Problem): Response =>
  isForPeople(request) ? problemPage(failure) : problemResponse(failure)

interface ProblemWords {
  readonly heading: string
  readonly text: string
}

const anything: ProblemWords = {
  heading: "Something went wrong",
  text: "It is our mistake, and we have taken note of it. Please try again in a moment."
}

const words: Readonly<Partial<Record<ErrorCode, ProblemWords>>> = {
  NOT_FOUND: {
    heading: "There is no such page",
    text: "The address may be incomplete: open the link in your email again."
  },
  METHOD_NOT_ALLOWED: { heading: "There is no such page", text: "Open the link in your email again." },
  PAYLOAD_TOO_LARGE: { heading: "That was too large", text: "Nothing was kept. Go back and choose a smaller file." },
  UNSUPPORTED_MEDIA_TYPE: { heading: "That could not be read", text: "Go back, reload the page and try again." },
  VALIDATION_FAILED: { heading: "That could not be read", text: "Go back, reload the page and try again." },
  RATE_LIMITED: { heading: "That was a little fast", text: "Please wait a minute and try again." },
  TEMPORARILY_UNAVAILABLE: {
    heading: "We cannot answer just now",
    text: "Nothing you sent is lost for good: please try again in a moment."
  }
}

/** A problem as a page. */
const problemPage = (failure: Problem): Response => {
  const { code } = failure.errors[0]
  const { heading, text } = words[code] ?? anything
  return pageResponse({
    status: statusOf(code),
    isProblem: true,
    heading,
    ...(failure.headers === undefined ? {} : { headers: failure.headers }),
    content: html`<p>${text}</p>
      <p><a href="${journeyPagePath}">Back to your journey</a></p>`
  })
}
