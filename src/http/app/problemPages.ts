/** Which requests are people's, who read pages, and not programs', who read the envelope. */
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { problemResponse, type Problem } from "../server/problems.ts"
import { problemPage } from "./noticePages.ts"

/** Under /app, but for what its script asks. */
const isPage = ({ url }: HttpServerRequest.HttpServerRequest): boolean =>
  /^\/+app(?![^/?])/.test(url) && !/^\/+app\/+video-uploads(?![^/?])/.test(url)

/** A problem, in the form that whoever asked can read. */
export const problemAnswer = (
  request: HttpServerRequest.HttpServerRequest,
  failure: Problem
): HttpServerResponse.HttpServerResponse => (isPage(request) ? problemPage(failure) : problemResponse(failure))
