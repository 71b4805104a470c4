/**
 * The start of a journey. The request is read as JSON or as multipart, in the order of decision V15, and handed to
 * `StartJourneys`, which decides what becomes of it. What a body must hold is in `schema/start`.
 */
import { Clock, Effect, Result, SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { isDealerKnown } from "../../actors/company/knownDealer.ts"
import { photoDigest } from "../../actors/journey/actor/photoDigest.ts"
import { StartJourneys, type StartRefused } from "../../actors/journey/actor/StartJourneys.ts"
import { canonicalJson } from "../../schema/canonicalJson.ts"
import { Shape } from "../../schema/journey/statuses.ts"
import { imageType } from "../../schema/media/imageHeader.ts"
import { IdempotencyKey } from "../../schema/parameters.ts"
import { decodeStart } from "../../schema/start/decodeStart.ts"
import { startExamples } from "../../schema/start/examples.ts"
import { sentPhoto } from "../../schema/start/rules.ts"
import { startBodies } from "../../schema/start/startBodies.ts"
import { parseStrictJson } from "../../schema/strictJson.ts"
import { journeysLater, startedJourneys } from "../documents/exampleJourneys.ts"
import { mediaType, readJson } from "../server/body.ts"
import { ofAnyBody, ofAnyKey } from "../server/commonRefusals.ts"
import { described, Permitted, type DescribedExamples } from "../server/described.ts"
import { refusedWith } from "../server/envelope.ts"
import { readMultipart } from "../server/multipart.ts"
import { orProblems, problem, problems, success, unavailable, type Problem } from "../server/problems.ts"
import { callerResource } from "../server/serve.ts"
import { idempotencyKey, journeysPath, write } from "./asCaller.ts"
import { JourneyAnswer } from "./journeyAnswer.ts"
import { StartJourney, StartJourneyWithPhoto } from "./startRequest.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What the document calls a shape. */
const titleOf = (shape: Shape): string => SchemaAST.resolveTitle(startBodies[shape].ast) ?? shape

const jsonShapes = ["FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA", "IDENTITY_DELIVERY", "CASH_SALE"] as const

const ofShapes = (shapes: ReadonlyArray<Shape>, valueOf: (shape: Shape) => unknown): DescribedExamples =>
  Object.fromEntries(shapes.map((shape) => [shape, { summary: titleOf(shape), value: valueOf(shape) }]))

const startJourney = HttpApiEndpoint.post("startJourney", journeysPath, {
  headers: { "Idempotency-Key": IdempotencyKey },
  payload: [StartJourney, StartJourneyWithPhoto],
  success: [JourneyAnswer.pipe(HttpApiSchema.status(202)), JourneyAnswer.pipe(HttpApiSchema.status(200))],
  error: refusedWith(
    [...ofAnyKey, ...ofAnyBody],
    "IDEMPOTENCY_KEY_REQUIRED",
    "APPLICATION_INCOMPLETE",
    "PANEL_REFERENCE_REQUIRED",
    "PANEL_FIELDS_NOT_USED",
    "SALE_TYPE_REQUIRED",
    "SALE_TYPE_NOT_USED",
    "CUSTOMER_FACE_REQUIRED",
    "CUSTOMER_FACE_NOT_USED",
    "FINANCE_FIELDS_NOT_USED",
    "INVALID_APPLICATION_VALUE",
    "UNSUPPORTED_IMAGE_TYPE",
    "IDEMPOTENCY_KEY_REUSED",
    "BIOMETRIC_CONSENT_REQUIRED",
    "NO_FACE",
    "MULTIPLE_FACES",
    "FACE_TOO_SMALL",
    "CONSENT_REQUIRED",
    "EKYC_NOT_CONFIGURED",
    "FINANCE_PANEL_NOT_CONFIGURED",
    "INSUFFICIENT_CREDITS",
    "DEALER_ONLY"
  )
})
  .annotate(Permitted, write)
  .annotateMerge(
    described({
      summary: "Start a journey",
      description: [
        "Accepts a journey and answers at once; what follows is told by events and by reading the journey.",
        "",
        "Send JSON, except for a DELIVERY with `saleType` FINANCE_SALE: that one is `multipart/form-data` with the part `journey` (JSON) and the part `customerFace` (the photo).",
        "",
        "A body is checked as a whole: the answer lists every problem it has. Problems of form (400) come before those of rights, consents and configuration (422)."
      ].join("\n"),
      request: {
        "application/json": ofShapes(jsonShapes, (shape) => startExamples[shape]),
        "multipart/form-data": ofShapes(["FINANCE_SALE"], (shape) => ({
          journey: startExamples[shape],
          customerFace: "(the bytes of the photo)"
        }))
      },
      answer: {
        200: {
          description:
            "The Idempotency-Key was used before with the same body: the journey of that start as it is now. No second journey exists.",
          message: "Journey already accepted",
          examples: { Replay: { summary: "The same start again", value: journeysLater.approved } }
        },
        202: {
          description:
            "The journey was accepted. It may have ended already: a start with decision DECLINED is CANCELLED at once.",
          message: "Journey accepted",
          examples: ofShapes(Shape.literals, (shape) => startedJourneys[shape])
        }
      }
    })
  )

interface Body {
  readonly transport: "JSON" | "MULTIPART"
  readonly json: unknown
  readonly photo: Uint8Array | null
}

const readBody = (request: Request): Effect.Effect<Body, Problem> =>
  mediaType(request) === "multipart/form-data"
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

export const startOperations = callerResource([startJourney], {
  startJourney: ({ caller, request }) =>
    Effect.gen(function* () {
      const key = yield* idempotencyKey(request)
      const body = yield* readBody(request)
      const now = yield* Clock.currentTimeMillis
      const decoded = decodeStart(body.json, {
        companyKind: caller.key.company.kind,
        isDealerKnown: yield* isDealerKnown(caller.key, body.json),
        now,
        transport: body.transport,
        photo: body.photo === null ? null : sentPhoto(body.photo)
      })
      const { start } = yield* StartJourneys
      const { isReplay, journey } = yield* start({
        key: caller.key,
        sender: caller.sender,
        idempotencyKey: key,
        canonical: canonicalText(body),
        request: decoded,
        photo: Result.isSuccess(decoded) && decoded.success.shape === "FINANCE_SALE" ? body.photo : null
      }).pipe(
        Effect.catchTags({
          StartRefused: ({ errors }: StartRefused) => Effect.fail(problems(errors)),
          FaceCheckUnavailable: () => Effect.fail(unavailable())
        })
      )
      return isReplay
        ? success(200, journey, "Journey already accepted", { "idempotent-replayed": "true" })
        : success(202, journey, "Journey accepted")
    })
})
