/**
 * PUT /api/v1/journeys/{journeyId}/customer-face: a new photo of the customer, while no video is being checked. The
 * order of refusals is that of V16. The journey itself has the last word on its state; it is asked here only to tell
 * its refusal before those that would need the consent or the face.
 */
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { FaceCheck } from "../../../actors/faces/FaceCheck.ts"
import { decide } from "../../../actors/journey/rules/decide.ts"
import type { Journey } from "../../../actors/journey/rules/Journey.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { photoDigest } from "../../../actors/journey/actor/photoDigest.ts"
import { canonicalJson } from "../../../schema/canonicalJson.ts"
import { judgeFaceDetails } from "../../../schema/journey/faceReplacement.ts"
import { photoProblems, sentPhoto } from "../../../schema/start/rules.ts"
import { parseStrictJson } from "../../../schema/strictJson.ts"
import { largestMultipartBytes, mediaType, refuseAnnouncedSize } from "../../server/body.ts"
import { orProblems, problem, problems, unavailable, type Problem } from "../../server/problems.ts"
import { callerEndpoint } from "../../server/callerEndpoint.ts"
import { messageIdOf } from "./messageId.ts"
import { readMultipart } from "../../server/multipart.ts"
import { journeyId, notFound, scopeOf } from "./readEndpoints.ts"
import { askAsCaller, fingerprintOf } from "./askJourney.ts"

type Request = HttpServerRequest.HttpServerRequest

const judgeTransport = (request: Request): Effect.Effect<void, Problem> =>
  mediaType(request) === "multipart/form-data"
    ? refuseAnnouncedSize(request, largestMultipartBytes)
    : Effect.fail(problem("UNSUPPORTED_MEDIA_TYPE", "body", "Send the photo as multipart/form-data"))

/** The two parts, each judged by its form; the consent is judged later. */
const readReplacement = Effect.fnUntraced(function* (request: Request) {
  const parts = yield* readMultipart(request, "details")
  if (parts.json === null) return yield* problem("VALIDATION_FAILED", "details", "The part details is missing")
  const details = yield* orProblems(parseStrictJson(parts.json))
  const { malformed, withoutConsent } = judgeFaceDetails(details, yield* Clock.currentTimeMillis)
  const { photo } = parts
  const wrong =
    photo === null ? problem("CUSTOMER_FACE_REQUIRED", "customerFace").errors : photoProblems(sentPhoto(photo))
  if (photo === null || wrong.length + malformed.length > 0) return yield* problems([...wrong, ...malformed])
  return { text: canonicalJson(details), photo, withoutConsent }
})

/** What the journey would say now, as a problem of the request. */
const refusalOf = (journey: Journey): Problem | null => {
  const outcome = decide(journey, { _tag: "ReplaceFace" }, journey.lastEventAt)
  return outcome._tag === "Rejected" ? problem(outcome.code, "journey", outcome.message) : null
}

export const customerFaceEndpoint = callerEndpoint(
  { scope: "journeys:write", testOnly: false },
  judgeTransport,
  Effect.fnUntraced(function* (request, caller) {
    const id = yield* journeyId
    const store = yield* JourneyStore
    const found = yield* store.read(id, scopeOf(caller))
    if (found === null) return yield* notFound()
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
    // The journey is asked even when the state seems to refuse it: a repeat of what was done before is answered as done. Of a test
    // journey only the verdict is kept (S7).
    const personal = { note: text, photo: caller.key.livemode ? jpeg : null }
    const fingerprint = yield* fingerprintOf(`${text}\n${photoDigest(photo)}`)
    const message = { _tag: "ReplaceFace", fingerprint } as const
    return yield* askAsCaller({ id, messageId }, caller, message, "Customer photo replaced", personal)
  })
)
