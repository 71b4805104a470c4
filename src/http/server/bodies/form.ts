/** Reads a plain form, in the encoding that browsers use and within a limit. What its fields mean is the step's business. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { mediaType, readBytes, refuseAnnouncedSize } from "./body.ts"
import { httpLimits } from "../limits.ts"
import { problem, type Problem } from "../answers/problems.ts"

export const readForm = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<URLSearchParams, Problem> =>
  mediaType(request) === "application/x-www-form-urlencoded"
    ? Effect.andThen(
        refuseAnnouncedSize(request, httpLimits.largestFormBytes),
        Effect.map(
          readBytes(request, httpLimits.largestFormBytes),
          (bytes) => new URLSearchParams(Buffer.from(bytes).toString())
        )
      )
    : Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the form as a browser does"))
