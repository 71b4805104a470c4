/**
 * /app/video-uploads: a video in parts, for the script of the video page. Parts may come again and in any order; what
 * has arrived can be asked for, so that a broken connection goes on where it was. Answers are small JSON for that script
 * alone, no part of the REST API.
 */
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse, type HttpServerRequest } from "effect/http"
import { Videos } from "../../actors/checks/Videos.ts"
import { mostChunkBytes } from "../../schema/media/videoHeader.ts"
import { mediaType, readBytes, readJson, refuseAnnouncedSize } from "../server/body.ts"
import type { Failure } from "../server/answering.ts"
import { hasToken, refuseForeign } from "./forgery.ts"
import { later, isVideoAsked, refusalOf, uploaded } from "./videoStep.ts"
import { visitOf, type Visit } from "./CustomerSession.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What the script acts on, and the status it goes with. */
const answers = {
  DONE: 200,
  BEGUN: 201,
  /** Sign in again, or reload the page. */
  NOT_ALLOWED: 403,
  /** Begin a new upload. */
  GONE: 404,
  /** The journey asks for no video: see where it stands. */
  NOT_ASKED: 409,
  /** Send the missing or damaged parts again. */
  SEND_AGAIN: 422,
  /** This video will never do. */
  REFUSED: 422
} as const

const answer = (code: keyof typeof answers, more: object = {}): Response =>
  HttpServerResponse.jsonUnsafe({ code, ...more }, { status: answers[code] })

const uploadId = Effect.map(HttpRouter.params, (params) => params["uploadId"] ?? "")

/** From our own page and of somebody signed in whose video is awaited. */
const ofScript =
  <R>(handle: (request: Request, visit: Visit) => Effect.Effect<Response, Failure, R>) =>
  (request: Request) =>
    Effect.gen(function* () {
      if (request.method !== "GET") yield* refuseForeign(request)
      const visit = yield* visitOf(request)
      if (!hasToken(visit.secret, request.headers["x-form-token"] ?? null)) return answer("NOT_ALLOWED")
      return isVideoAsked(visit) ? yield* handle(request, visit) : answer("NOT_ASKED")
    }).pipe(
      Effect.catchTags({
        Forged: () => Effect.succeed(answer("NOT_ALLOWED")),
        NoVisit: ({ isSignedIn }) => Effect.succeed(answer(isSignedIn ? "NOT_ASKED" : "NOT_ALLOWED"))
      })
    )

/** What can come of any part of it. */
const told = {
  VideoNotAwaited: () => Effect.succeed(answer("NOT_ASKED")),
  UploadGone: () => Effect.succeed(answer("GONE")),
  CommitUnknown: later
}

export const beginUpload = ofScript((_request, visit) =>
  Effect.flatMap(Videos, (videos) => videos.begin(visit.journey.id)).pipe(
    Effect.map((id) => answer("BEGUN", { id })),
    Effect.catchTags({ VideoNotAwaited: told.VideoNotAwaited, CommitUnknown: told.CommitUnknown })
  )
)

const partNumber = Effect.map(HttpRouter.params, (params) => {
  const text = params["number"] ?? ""
  return /^\d{1,6}$/.test(text) ? Number(text) : null
})

export const putPart = ofScript(
  Effect.fnUntraced(function* (request, visit) {
    const number = yield* partNumber
    const sha256 = (request.headers["x-chunk-sha256"] ?? "").toLowerCase()
    if (number === null || mediaType(request) !== "application/octet-stream") return answer("REFUSED")
    yield* refuseAnnouncedSize(request, mostChunkBytes)
    const bytes = yield* readBytes(request, mostChunkBytes)
    const videos = yield* Videos
    const upload = { journeyId: visit.journey.id, uploadId: yield* uploadId }
    return yield* videos.chunk(upload, { number, bytes, sha256 }).pipe(
      Effect.as(answer("DONE")),
      Effect.catchTags({
        UploadGone: told.UploadGone,
        CommitUnknown: told.CommitUnknown,
        VideoRefused: (refused) => Effect.succeed(refusedAnswer(refused))
      })
    )
  })
)

export const uploadState = ofScript(
  Effect.fnUntraced(function* (_request, visit) {
    const videos = yield* Videos
    return yield* videos.state({ journeyId: visit.journey.id, uploadId: yield* uploadId }).pipe(
      Effect.map(({ chunks, isComplete }) => answer("DONE", { isComplete, chunks })),
      Effect.catchTags({ UploadGone: told.UploadGone })
    )
  })
)

const Completion = Schema.Struct({ chunks: Schema.Int })
const decodeCompletion = Schema.decodeUnknownOption(Completion)

export const completeUpload = ofScript(
  Effect.fnUntraced(function* (request, visit) {
    const completion = decodeCompletion(yield* readJson(request))
    if (completion._tag === "None") return answer("REFUSED")
    const videos = yield* Videos
    const upload = { journeyId: visit.journey.id, uploadId: yield* uploadId }
    return yield* videos.complete(upload, completion.value.chunks).pipe(
      Effect.andThen(uploaded(visit, upload.uploadId)),
      Effect.as(answer("DONE")),
      Effect.catchTags({
        ...told,
        VideoRefused: (refused) => Effect.succeed(refusedAnswer(refused))
      })
    )
  })
)

const refusedAnswer = (refused: Parameters<typeof refusalOf>[0]): Response =>
  refused.code === "INCOMPLETE" || refused.code === "DAMAGED_CHUNK"
    ? answer("SEND_AGAIN")
    : answer("REFUSED", { message: refusalOf(refused) })
