/**
 * Uploads of the handover video in parts, at /app/video-uploads, for the script of the video page. Parts may come again and
 * in any order. The script can ask which parts have arrived, so it continues after a broken connection. The answers are
 * small JSON for that script alone and no part of the REST API.
 */
import { sentVideoLimits } from "../../schema/media/limits.ts"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse, type HttpServerRequest } from "effect/http"
import { Videos } from "../../actors/checks/Videos.ts"
import { mediaType, readBytes, readJson, refuseAnnouncedSize } from "../server/body.ts"
import type { HandlerFailure } from "../server/answering.ts"
import { appRoute } from "./appRoute.ts"
import { appLimits } from "./limits.ts"
import { hasToken, refuseForeign } from "./forgery.ts"
import { announceVideo, refusalOf, tryLater } from "./videoStep.ts"
import { customerSessionOf, isAskedFor, type CustomerSession } from "./CustomerSession.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The codes on which the script acts, each with its status. */
const answers = {
  DONE: 200,
  BEGUN: 201,
  /** Sign in again, or reload the page. */
  NOT_ALLOWED: 403,
  /** Begin a new upload. */
  GONE: 404,
  /** The journey asks for no video: the customer sees where it stands. */
  NOT_ASKED: 409,
  /** Send the missing or damaged parts again. */
  SEND_AGAIN: 422,
  /** The service will never take this video. */
  REFUSED: 422
} as const

const answer = (code: keyof typeof answers, more: object = {}): Response =>
  HttpServerResponse.jsonUnsafe({ code, ...more }, { status: answers[code] })

const uploadId = Effect.map(HttpRouter.params, (params) => params["uploadId"] ?? "")

/** A request from our own page, of a signed-in customer whose journey asks for the video. */
const ofScript =
  <R>(handle: (request: Request, customer: CustomerSession) => Effect.Effect<Response, HandlerFailure, R>) =>
  (request: Request) =>
    Effect.gen(function* () {
      if (request.method !== "GET") yield* refuseForeign(request)
      const customer = yield* customerSessionOf(request)
      if (!hasToken(customer.secret, request.headers["x-form-token"] ?? null)) return answer("NOT_ALLOWED")
      return isAskedFor("RECORD_VIDEO", customer) ? yield* handle(request, customer) : answer("NOT_ASKED")
    }).pipe(
      Effect.catchTags({
        Forged: () => Effect.succeed(answer("NOT_ALLOWED")),
        NoSession: ({ isSignedIn }) => Effect.succeed(answer(isSignedIn ? "NOT_ASKED" : "NOT_ALLOWED"))
      })
    )

/** Failures of any part of an upload, as the script is answered. */
const refusals = {
  VideoNotAwaited: () => Effect.succeed(answer("NOT_ASKED")),
  UploadGone: () => Effect.succeed(answer("GONE")),
  CommitUnknown: tryLater
}

const beginUpload = ofScript((_request, customer) =>
  Effect.flatMap(Videos, (videos) => videos.begin(customer.journey.id)).pipe(
    Effect.map((id) => answer("BEGUN", { id })),
    Effect.catchTags({ VideoNotAwaited: refusals.VideoNotAwaited, CommitUnknown: refusals.CommitUnknown })
  )
)

const isPartNumber = new RegExp(`^\\d{1,${appLimits.longestPartNumber}}$`)

const partNumber = Effect.map(HttpRouter.params, (params) => {
  const text = params["number"] ?? ""
  return isPartNumber.test(text) ? Number(text) : null
})

const putPart = ofScript(
  Effect.fnUntraced(function* (request, customer) {
    const number = yield* partNumber
    const sha256 = (request.headers["x-chunk-sha256"] ?? "").toLowerCase()
    if (number === null || mediaType(request) !== "application/octet-stream") return answer("REFUSED")
    yield* refuseAnnouncedSize(request, sentVideoLimits.largestPartBytes)
    const bytes = yield* readBytes(request, sentVideoLimits.largestPartBytes)
    const videos = yield* Videos
    const upload = { journeyId: customer.journey.id, uploadId: yield* uploadId }
    return yield* videos.chunk(upload, { number, bytes, sha256 }).pipe(
      Effect.as(answer("DONE")),
      Effect.catchTags({
        UploadGone: refusals.UploadGone,
        CommitUnknown: refusals.CommitUnknown,
        VideoRefused: (refused) => Effect.succeed(refusedAnswer(refused))
      })
    )
  })
)

const uploadState = ofScript(
  Effect.fnUntraced(function* (_request, customer) {
    const videos = yield* Videos
    return yield* videos.state({ journeyId: customer.journey.id, uploadId: yield* uploadId }).pipe(
      Effect.map(({ chunks, isComplete }) => answer("DONE", { isComplete, chunks })),
      Effect.catchTags({ UploadGone: refusals.UploadGone })
    )
  })
)

const Completion = Schema.Struct({ chunks: Schema.Int })
const decodeCompletion = Schema.decodeUnknownOption(Completion)

const completeUpload = ofScript(
  Effect.fnUntraced(function* (request, customer) {
    const completion = decodeCompletion(yield* readJson(request))
    if (completion._tag === "None") return answer("REFUSED")
    const videos = yield* Videos
    const upload = { journeyId: customer.journey.id, uploadId: yield* uploadId }
    return yield* videos.complete(upload, completion.value.chunks).pipe(
      Effect.andThen(announceVideo(customer, upload.uploadId)),
      Effect.as(answer("DONE")),
      Effect.catchTags({
        ...refusals,
        VideoRefused: (refused) => Effect.succeed(refusedAnswer(refused))
      })
    )
  })
)

const refusedAnswer = (refused: Parameters<typeof refusalOf>[0]): Response =>
  refused.code === "INCOMPLETE" || refused.code === "DAMAGED_CHUNK"
    ? answer("SEND_AGAIN")
    : answer("REFUSED", { message: refusalOf(refused) })

const path = "/app/video-uploads"

export const videoUploadRoutes = [
  appRoute("POST", path, beginUpload),
  appRoute("GET", `${path}/:uploadId`, uploadState),
  appRoute("PUT", `${path}/:uploadId/chunks/:number`, putPart),
  appRoute("POST", `${path}/:uploadId/complete`, completeUpload)
] as const
