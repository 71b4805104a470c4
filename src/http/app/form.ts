/** A plain form: read within a limit, and nothing but what browsers send for one. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { mediaType, readBytes, refuseAnnouncedSize } from "../server/body.ts"
import { problem, type Problem } from "../server/problems.ts"

/** Bytes: an address with every field at its limit, each character escaped, and room to spare. */
const largestFormBytes = 32 * 1024

export const readForm = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<URLSearchParams, Problem> =>
  mediaType(request) === "application/x-www-form-urlencoded"
    ? Effect.andThen(
        refuseAnnouncedSize(request, largestFormBytes),
        Effect.map(readBytes(request, largestFormBytes), (bytes) => new URLSearchParams(Buffer.from(bytes).toString()))
      )
    : Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the form as a browser does"))
