/**
 * POST /api/v1/journeys. Reads the request as JSON or multipart, in the order of decision V15, and hands it to
 * `startJourney.ts`, which decides what becomes of it.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { photoDigest } from "../../../actors/journey/actor/photoDigest.ts"
import { StartJourneys, type StartRefused } from "../../../actors/journey/actor/StartJourneys.ts"
import { canonicalJson } from "../../../schema/canonicalJson.ts"
import { imageType } from "../../../schema/media/imageHeader.ts"
import { idempotencyKeyPattern } from "../../../schema/parameters.ts"
import { sentPhoto } from "../../../schema/start/rules.ts"
import { decodeStart } from "../../../schema/start/decodeStart.ts"
import { parseStrictJson } from "../../../schema/strictJson.ts"
import { mediaType, readJson, refuseAnnouncedSize, largestJsonBytes, largestMultipartBytes } from "../../server/body.ts"
import { orProblems, problem, problems, success, unavailable, type Problem } from "../../server/problems.ts"
import { callerEndpoint } from "../../server/callerEndpoint.ts"
import { readMultipart } from "../../server/multipart.ts"

interface Body {
  readonly transport: "JSON" | "MULTIPART"
  readonly json: unknown
  readonly photo: Uint8Array | null
}

type Request = HttpServerRequest.HttpServerRequest

const isMultipart = (request: Request): boolean => mediaType(request) === "multipart/form-data"

/** Size and type, judged from the headers alone. */
const judgeTransport = (request: Request): Effect.Effect<void, Problem> => {
  if (isMultipart(request)) return refuseAnnouncedSize(request, largestMultipartBytes)
  return mediaType(request) === "application/json"
    ? refuseAnnouncedSize(request, largestJsonBytes)
    : Effect.fail(
        problem(
          "UNSUPPORTED_MEDIA_TYPE",
          "body",
          "Send the start as application/json in UTF-8, or as multipart/form-data"
        )
      )
}

const readBody = (request: Request): Effect.Effect<Body, Problem> =>
  isMultipart(request)
    ? Effect.flatMap(readMultipart(request, "journey"), ({ json, photo }) =>
        json === null
          ? Effect.fail(problem("VALIDATION_FAILED", "journey", "The part journey is missing"))
          : Effect.map(orProblems(parseStrictJson(json)), (parsed) => ({
              transport: "MULTIPART" as const,
              json: parsed,
              photo
            }))
      )
    : Effect.map(readJson(request), (json) => ({ transport: "JSON" as const, json, photo: null }))

/** What makes two requests the same (decision I2): the canonical JSON, and the photo's bytes and type. */
const canonicalText = (body: Body): string => {
  const json = canonicalJson(body.json)
  return body.photo === null ? json : `${json}\n${photoDigest(body.photo)} ${imageType(body.photo)}`
}

/** The key of §4.1, once: Node joins a repeated header with a comma, which is none of its characters. */
export const idempotencyKey = (request: Request): Effect.Effect<string, Problem> => {
  const given = NodeHttpServerRequest.toIncomingMessage(request).headers["idempotency-key"]
  return typeof given === "string" && idempotencyKeyPattern.test(given)
    ? Effect.succeed(given)
    : Effect.fail(problem("IDEMPOTENCY_KEY_REQUIRED", "Idempotency-Key"))
}

export const startEndpoint = callerEndpoint(
  { scope: "journeys:write", testOnly: false },
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const key = yield* idempotencyKey(request)
    const body = yield* readBody(request)
    const now = yield* Clock.currentTimeMillis
    const decoded = decodeStart(body.json, {
      companyKind: caller.key.company.kind,
      now,
      transport: body.transport,
      photo: body.photo === null ? null : sentPhoto(body.photo)
    })
    const starts = yield* StartJourneys
    const { isReplay, journey } = yield* starts
      .start({
        key: caller.key,
        sender: caller.sender,
        idempotencyKey: key,
        canonical: canonicalText(body),
        request: decoded,
        photo: Result.isSuccess(decoded) && decoded.success.shape === "FINANCE_SALE" ? body.photo : null
      })
      .pipe(
        Effect.catchTags({
          StartRefused: ({ errors }: StartRefused) => Effect.fail(problems(errors)),
          FaceCheckUnavailable: () => Effect.fail(unavailable())
        })
      )
    return isReplay
      ? success(200, journey, "Journey already accepted", { "idempotent-replayed": "true" })
      : success(202, journey, "Journey accepted")
  })
)
