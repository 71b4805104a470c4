/**
 * Uploads in parts, for the scripts of the pages that record videos and take photos. Parts may come again and in any order.
 * The script can ask which parts have arrived, so it continues after a broken connection. The answers are small JSON for those
 * scripts alone and no part of the REST API. Which media there are says `uploadRows.ts`; the steps bring what differs.
 */
import { Effect, Schema } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Uploads, type UploadRefused } from "../../../actors/checks/uploads/Uploads.ts"
import { uploadRow, type Medium } from "../../../actors/checks/uploads/uploadRows.ts"
import { mediaType, readBytes, readJson, refuseAnnouncedSize } from "../../server/bodies/body.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { mayComeSlowly } from "../../server/admission/slowUploads.ts"
import { appRoute } from "../frame/appRoute.ts"
import { appLimits } from "../frame/limits.ts"
import { refuseForeign, refuseWithoutToken } from "../../server/callers/forgery.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { unavailable } from "../../server/answers/problems.ts"
import { scriptAnswer } from "../../server/pages/scriptAnswer.ts"
import { mayUseCamera } from "./consentStep.ts"
import { customerSessionOf, forCustomer, isAskedFor, type CustomerSession } from "../session/CustomerSession.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What differs between uploads of different media. */
export interface UploadStep<R> {
  readonly medium: Medium
  /** What the customer reads about a file that is refused. */
  readonly refusal: (customer: CustomerSession, refused: UploadRefused) => string
  /** What follows when the upload is complete. */
  readonly completed: (customer: CustomerSession, uploadId: string) => Effect.Effect<void, HandlerFailure, R>
}

/** A request from our own page, of a signed-in customer whose journey asks for the upload. */
export const ofScript =
  <R>(
    medium: Medium,
    handle: (request: Request, customer: CustomerSession) => Effect.Effect<Response, HandlerFailure, R>
  ) =>
  (request: Request) =>
    Effect.gen(function* () {
      if (request.method !== "GET") yield* refuseForeign(request)
      const customer = yield* customerSessionOf(request)
      yield* refuseWithoutToken(request, customer.secret, request.headers["x-form-token"] ?? null)
      const { step } = uploadRow(medium)
      const isWanted = isAskedFor(step, customer) && mayUseCamera(step, customer)
      return isWanted ? yield* forCustomer(customer, handle(request, customer)) : scriptAnswer("NOT_ASKED")
    }).pipe(
      Effect.catchTags({
        Forged: () => Effect.succeed(scriptAnswer("NOT_ALLOWED")),
        NoSession: ({ isSignedIn }) => Effect.succeed(scriptAnswer(isSignedIn ? "NOT_ASKED" : "NOT_ALLOWED"))
      })
    )

/** Failures of any part of an upload, as the script is answered. */
const refusals = {
  UploadNotAwaited: () => Effect.succeed(scriptAnswer("NOT_ASKED")),
  UploadGone: () => Effect.succeed(scriptAnswer("GONE"))
}

const isPartNumber = new RegExp(`^\\d{1,${appLimits.longestPartNumber}}$`)

const partNumber = Effect.map(pathPart("number"), (text) => (isPartNumber.test(text) ? Number(text) : null))

const Completion = Schema.Struct({ chunks: Schema.Int })
const decodeCompletion = Schema.decodeUnknownOption(Completion)

/** The challenge that a video was recorded for; photos name none. */
const namedBy = (request: Request, medium: Medium): string | null =>
  medium === "VIDEO" ? (request.headers["x-challenge"] ?? "") : null

const beginUpload = <R>({ medium, refusal }: UploadStep<R>) =>
  ofScript(medium, (request, customer) =>
    Effect.flatMap(Uploads, (uploads) => uploads.begin(customer.journey.id, medium, namedBy(request, medium))).pipe(
      Effect.map((id) => scriptAnswer("BEGUN", { id })),
      Effect.catchTags({
        UploadNotAwaited: refusals.UploadNotAwaited,
        UploadRefused: (refused) => Effect.succeed(refusedAnswer(refused, refusal(customer, refused)))
      })
    )
  )

const uploadOf = (medium: Medium, { journey }: CustomerSession) =>
  Effect.map(pathPart("uploadId"), (id) => ({ journeyId: journey.id, medium, uploadId: id }))

const putPart = <R>({ medium, refusal }: UploadStep<R>) =>
  ofScript(
    medium,
    Effect.fnUntraced(function* (request, customer) {
      yield* mayComeSlowly(request)
      const number = yield* partNumber
      const sha256 = (request.headers["x-chunk-sha256"] ?? "").toLowerCase()
      if (number === null || mediaType(request) !== "application/octet-stream") return scriptAnswer("REFUSED")
      const { largestPartBytes } = uploadRow(medium)
      yield* refuseAnnouncedSize(request, largestPartBytes)
      const bytes = yield* readBytes(request, largestPartBytes)
      const uploads = yield* Uploads
      return yield* uploads.chunk(yield* uploadOf(medium, customer), { number, bytes, sha256 }).pipe(
        Effect.as(scriptAnswer("DONE")),
        Effect.catchTags({
          UploadGone: refusals.UploadGone,
          UploadRefused: (refused) => Effect.succeed(refusedAnswer(refused, refusal(customer, refused)))
        })
      )
    })
  )

const uploadState = (medium: Medium) =>
  ofScript(
    medium,
    Effect.fnUntraced(function* (_request, customer) {
      const uploads = yield* Uploads
      return yield* uploads.state(yield* uploadOf(medium, customer)).pipe(
        Effect.map(({ chunks, isComplete }) => scriptAnswer("DONE", { isComplete, chunks })),
        Effect.catchTags({ UploadGone: refusals.UploadGone })
      )
    })
  )

const completeUpload = <R>({ completed, medium, refusal }: UploadStep<R>) =>
  ofScript(
    medium,
    Effect.fnUntraced(function* (request, customer) {
      const completion = decodeCompletion((yield* readJson(request)).json)
      if (completion._tag === "None") return scriptAnswer("REFUSED")
      const uploads = yield* Uploads
      const upload = yield* uploadOf(medium, customer)
      return yield* uploads.complete(upload, completion.value.chunks).pipe(
        Effect.andThen(completed(customer, upload.uploadId)),
        Effect.as(scriptAnswer("DONE")),
        Effect.catchTags({
          ...refusals,
          UploadNotRead: () => Effect.fail(unavailable()),
          UploadRefused: (refused) => Effect.succeed(refusedAnswer(refused, refusal(customer, refused)))
        })
      )
    })
  )

const refusedAnswer = ({ code }: UploadRefused, message: string): Response =>
  code === "INCOMPLETE" || code === "DAMAGED_CHUNK" ? scriptAnswer("SEND_AGAIN") : scriptAnswer("REFUSED", { message })

export const uploadRoutesOf = <R>(step: UploadStep<R>) => {
  const { path } = uploadRow(step.medium)
  return [
    appRoute("POST", path, beginUpload(step)),
    appRoute("GET", `${path}/:uploadId`, uploadState(step.medium)),
    appRoute("PUT", `${path}/:uploadId/chunks/:number`, putPart(step)),
    appRoute("POST", `${path}/:uploadId/complete`, completeUpload(step))
  ] as const
}
