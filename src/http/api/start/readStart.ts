/**
 * The body of a start, read as JSON or as multipart and decoded with what the rules must know of the caller; and what every
 * request with such a body can be refused with. What becomes of it is decided by the operations.
 */
import { Clock, Effect, Result, SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isDealerKnown } from "../../../actors/company/knownDealer.ts"
import type { FaceCheck } from "../../../actors/faces/FaceCheck.ts"
import type { StartRefused } from "../../../actors/journey/actor/start/StartRefused.ts"
import type { Shape } from "../../../schema/journey/statuses.ts"
import type { ErrorCode } from "../../../schema/problems.ts"
import { decodeStart } from "../../../schema/start/decodeStart.ts"
import { startExamples } from "../../../schema/start/examples.ts"
import { sentPhoto } from "../../../schema/start/rules.ts"
import { startBodies } from "../../../schema/start/startBodies.ts"
import type { Caller } from "../../server/callers/authentication.ts"
import { mediaType, readJson } from "../../server/bodies/body.ts"
import { ofAnyBody, ofAnyKey } from "../../server/answers/commonRefusals.ts"
import type { DescribedExamples } from "../../server/endpoints/described.ts"
import { jsonBodyOf, type JsonBody } from "../../server/bodies/jsonBody.ts"
import { readMultipart } from "../../server/bodies/multipart.ts"
import { problem, problems, unavailable, type Problem } from "../../server/answers/problems.ts"
import { refuseParameters } from "../../server/endpoints/query.ts"
import { clockAsked } from "./startClock.ts"

type Request = HttpServerRequest.HttpServerRequest

export const refusalsOfStart: ReadonlyArray<ErrorCode> = [
  ...ofAnyKey,
  ...ofAnyBody,
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
  "BIOMETRIC_CONSENT_REQUIRED",
  "NO_FACE",
  "MULTIPLE_FACES",
  "FACE_TOO_SMALL",
  "CONSENT_REQUIRED",
  "EKYC_NOT_CONFIGURED",
  "FINANCE_PANEL_NOT_CONFIGURED",
  "INSUFFICIENT_CREDITS",
  "DEALER_ONLY"
]

/** What the document calls a shape. */
const titleOf = (shape: Shape): string => SchemaAST.resolveTitle(startBodies[shape].ast) ?? shape

const jsonShapes = ["FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA", "IDENTITY_DELIVERY", "CASH_SALE"] as const

export const ofShapes = (shapes: ReadonlyArray<Shape>, valueOf: (shape: Shape) => unknown): DescribedExamples =>
  Object.fromEntries(shapes.map((shape) => [shape, { summary: titleOf(shape), value: valueOf(shape) }]))

/** Examples of the body. */
export const startRequests = {
  "application/json": ofShapes(jsonShapes, (shape) => startExamples[shape]),
  "multipart/form-data": ofShapes(["FINANCE_SALE"], (shape) => ({
    journey: startExamples[shape],
    customerFace: "(the bytes of the photo)"
  }))
}

export interface StartBody extends JsonBody {
  readonly transport: "JSON" | "MULTIPART"
  readonly photo: Uint8Array | null
}

const readBody = (request: Request): Effect.Effect<StartBody, Problem, FaceCheck> =>
  mediaType(request) === "multipart/form-data"
    ? Effect.flatMap(readMultipart(request, "journey"), ({ json, photo }) =>
        json === null
          ? Effect.fail(problem("VALIDATION_FAILED", "journey", "The part journey is missing"))
          : Effect.map(jsonBodyOf(json), (read) => ({ transport: "MULTIPART" as const, ...read, photo }))
      )
    : Effect.map(readJson(request), (read) => ({ transport: "JSON" as const, ...read, photo: null }))

/** The body as it came, and judged. The photo is there only where the start may have one. */
export const readStart = Effect.fnUntraced(function* (request: Request, caller: Caller) {
  const { key } = caller
  yield* refuseParameters(request.url)
  const body = yield* readBody(request)
  const decoded = decodeStart(body.json, {
    companyKind: key.company.kind,
    isDealerKnown: yield* isDealerKnown(key, body.json),
    now: yield* Clock.currentTimeMillis,
    transport: body.transport,
    photo: body.photo === null ? null : sentPhoto(body.photo)
  })
  const photo = Result.isSuccess(decoded) && decoded.success.shape === "FINANCE_SALE" ? body.photo : null
  const clock = yield* clockAsked(request, caller)
  // The clock is judged like a field: a replay is answered even if its clock has ended since.
  return { body, clock, judged: clock?.problem === undefined ? decoded : Result.fail([clock.problem]), photo }
})

/** What a caller is told when a start is refused, by the tag of the refusal. */
export const startRefusals = {
  StartRefused: ({ errors }: StartRefused) => Effect.fail(problems(errors)),
  FaceCheckUnavailable: () => Effect.fail(unavailable())
}
