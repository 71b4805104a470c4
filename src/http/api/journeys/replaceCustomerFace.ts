/**
 * A new photo of the customer, sent while no video is being checked. The order of refusals is that of V16. The journey
 * itself has the last word on its state; its state is looked at here only to tell the journey's refusal before the refusals
 * that would need the consent or the face.
 */
import { Clock, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { FaceCheck } from "../../../actors/faces/FaceCheck.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { photoDigest } from "../../../actors/journey/actor/start/photoDigest.ts"
import { decide } from "../../../actors/journey/rules/decide.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { canonicalJson } from "../../../schema/canonicalJson.ts"
import { judgeFaceDetails } from "../../../schema/requests/faceReplacement.ts"
import { CustomerFace } from "../../../schema/start/customerFace.ts"
import { startExamples } from "../../../schema/start/examples.ts"
import { photoProblems, sentPhoto } from "../../../schema/start/rules.ts"
import { startedJourneys } from "../../documents/exampleJourneys.ts"
import { ofAnyOperation } from "../../server/answers/commonRefusals.ts"
import { described, Permitted } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { jsonBodyOf } from "../../server/bodies/jsonBody.ts"
import { readMultipart } from "../../server/bodies/multipart.ts"
import { problem, problems, unavailable, type Problem } from "../../server/answers/problems.ts"
import { refuseParameters } from "../../server/endpoints/query.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import {
  askAsCaller,
  fingerprintOf,
  oneJourneyPath,
  journeyAsked,
  journeyNotFound,
  messageIdOf,
  ofJourney,
  repeatable,
  scopeOf,
  write
} from "../frame/asCaller.ts"
import { JourneyAnswer } from "../frame/journeyAnswer.ts"
import { Photo } from "../start/startRequest.ts"

type Request = HttpServerRequest.HttpServerRequest

const NewCustomerFace = Schema.Struct({ details: CustomerFace, customerFace: Photo })
  .annotate({ identifier: "NewCustomerFace" })
  .pipe(HttpApiSchema.asMultipart())

const replaceCustomerFace = HttpApiEndpoint.put("replaceCustomerFace", `${oneJourneyPath}/customer-face`, {
  params: ofJourney,
  headers: repeatable,
  payload: NewCustomerFace,
  success: JourneyAnswer,
  error: refusedWith(
    ofAnyOperation,
    "CUSTOMER_FACE_REQUIRED",
    "CUSTOMER_FACE_NOT_USED",
    "UNSUPPORTED_IMAGE_TYPE",
    "CUSTOMER_FACE_LOCKED",
    "BIOMETRIC_CONSENT_REQUIRED",
    "NO_FACE",
    "MULTIPLE_FACES",
    "FACE_TOO_SMALL"
  )
})
  .annotate(Permitted, write)
  .annotateMerge(
    described({
      summary: "Replace the customer's photo",
      description:
        "For DELIVERY with `saleType` FINANCE_SALE, when the handover video keeps failing to match: `multipart/form-data` with the part `details` (JSON) and the part `customerFace` (the photo). Not while a video is being checked, by the service or by a person, and not after the handover.",
      request: {
        "multipart/form-data": {
          Replace: {
            summary: "A new photo with its consent",
            value: { details: startExamples.FINANCE_SALE.customerFace, customerFace: "(the bytes of the photo)" }
          }
        }
      },
      answer: {
        description: "The journey; its next video is compared with the new photo",
        message: "Customer photo replaced",
        examples: { Replaced: { summary: "A finance sale", value: startedJourneys.FINANCE_SALE } }
      }
    })
  )

/** Reads the two parts, each judged by its form. The consent is judged later. */
const readReplacement = Effect.fnUntraced(function* (request: Request) {
  yield* refuseParameters(request.url)
  const parts = yield* readMultipart(request, "details")
  if (parts.json === null) return yield* problem("VALIDATION_FAILED", "details", "The part details is missing")
  const { json: details } = yield* jsonBodyOf(parts.json)
  const { malformed, withoutConsent } = judgeFaceDetails(details, yield* Clock.currentTimeMillis)
  const { photo } = parts
  const wrong =
    photo === null ? problem("CUSTOMER_FACE_REQUIRED", "customerFace").errors : photoProblems(sentPhoto(photo))
  if (photo === null || wrong.length + malformed.length > 0) return yield* problems([...wrong, ...malformed])
  return { text: canonicalJson(details), photo, withoutConsent }
})

/** The refusal that the journey would give now, or null. */
const refusalOf = (journey: Journey): Problem | null => {
  const outcome = decide(journey, { _tag: "ReplaceFace" }, journey.lastEventAt)
  return outcome._tag === "Rejected" ? problem(outcome.code, "journey", outcome.message) : null
}

export const customerFaceOperations = callerResource([replaceCustomerFace], {
  replaceCustomerFace: (asked) =>
    Effect.gen(function* () {
      const { caller, request } = asked
      const id = yield* journeyAsked(asked)
      const store = yield* JourneyStore
      const found = yield* store.read(id, scopeOf(caller))
      if (found === null) return yield* journeyNotFound()
      if (found.journey.shape !== "FINANCE_SALE") return yield* problem("CUSTOMER_FACE_NOT_USED", "customerFace")
      const messageId = yield* messageIdOf(request, caller, id)
      const { photo, text, withoutConsent } = yield* readReplacement(request)
      const refusal = refusalOf(found.journey)
      if (withoutConsent !== null) return yield* refusal ?? problems([withoutConsent])
      const faces = yield* FaceCheck
      const { jpeg } = yield* faces.check(photo).pipe(
        Effect.catchTag("PhotoUnreadable", ({ rule }) =>
          Effect.fail(problem("VALIDATION_FAILED", "customerFace", `customerFace ${rule}`))
        ),
        Effect.catchTag("FaceRefused", ({ code }) => Effect.fail(refusal ?? problem(code, "customerFace"))),
        Effect.catchTag("FaceCheckUnavailable", () => Effect.fail(refusal ?? unavailable()))
      )
      // The journey is asked even when its state seems to refuse: a repeat of what was done before is answered as done.
      // Of a test journey only the verdict is kept (S7).
      const personal = { note: text, photo: caller.key.livemode ? jpeg : null }
      const fingerprint = yield* fingerprintOf(`${text}\n${photoDigest(photo)}`)
      const message = { _tag: "ReplaceFace", fingerprint } as const
      return yield* askAsCaller(replaceCustomerFace, caller, { id, messageId }, message, personal)
    })
})
