/**
 * What waits for a company's team: the queue, one review with its photos, and the decision. Two reviewers cannot both
 * decide: the message to the journey has an id that follows from the review, so the journey takes one of them. A photo is
 * opened for one look, and only while its review waits.
 */
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse, type HttpServerRequest } from "effect/http"
import { Videos } from "../../../actors/checks/Videos.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { attemptsOf, messageOf } from "../../../actors/review/review.ts"
import { ReviewPictures } from "../../../actors/review/ReviewPictures.ts"
import { ReviewQueue, type FoundReview, type Review } from "../../../actors/review/ReviewQueue.ts"
import {
  decodeDecision,
  PictureName,
  type ReviewResource,
  type ReviewWithPicturesResource
} from "../../../schema/review/Review.ts"
import { typeOfShape } from "../../../schema/journey/statuses.ts"
import { oneOf } from "../../server/cursorQuery.ts"
import { fingerprintOf } from "../journeys/askJourney.ts"
import { optionalIdempotencyKey } from "../journeys/messageId.ts"
import { pageData, readQuery } from "../../server/pageQuery.ts"
import { problem, success } from "../../server/problems.ts"
import { notFound, pathCompany, pathId } from "./companyEndpoints.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"
import { askAsTeam, orConflict, writeDown } from "./teamMessages.ts"
import { timestamp } from "../../../schema/moment.ts"
import { Mode } from "../../../schema/Mode.ts"

const resourceOf = ({ id, journey, kind, since }: Review): ReviewResource => ({
  id,
  kind,
  mode: journey.livemode ? "LIVE" : "TEST",
  since: timestamp(since),
  journeyId: journey.id,
  journeyType: typeOfShape[journey.shape],
  externalReference: journey.externalReference,
  attempts: attemptsOf(journey, kind)
})

const queueQuery = (request: HttpServerRequest.HttpServerRequest) =>
  readQuery(request, ["mode"], (given, wrong) => ({ mode: oneOf(given, wrong, "mode", Mode.literals) ?? "LIVE" }))

export const listReviewsEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/reviews")(function* (request) {
    const { id } = yield* pathCompany
    const query = yield* queueQuery(request)
    const queue = yield* ReviewQueue
    const waiting = yield* queue.waiting({ companyId: id, livemode: query.mode === "LIVE" }, query)
    return success(200, pageData(query, waiting, resourceOf), "Reviews")
  })
)

/** The review of the path, with the id of the message that decides it. */
const pathReview = Effect.gen(function* () {
  const { id: companyId } = yield* pathCompany
  const reviewId = yield* pathId("reviewId")
  const messageId = derivedId(yield* Vault, "review", reviewId)
  const queue = yield* ReviewQueue
  const review = (yield* queue.find(companyId, reviewId, messageId)) ?? (yield* notFound("review"))
  return { companyId, messageId, review }
})

export const getReviewEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/reviews/{reviewId}")(function* () {
    const { companyId, review } = yield* pathReview
    const pictures = yield* ReviewPictures
    const names = review.isOpen ? yield* pictures.names(review.journey) : []
    const path = `/settings/v1/companies/${companyId}/reviews/${review.id}`
    const whole: ReviewWithPicturesResource = {
      ...resourceOf(review),
      open: review.isOpen,
      pictures: names.map((name) => ({ name, path: `${path}/pictures/${name}` })),
      video: (yield* videoOf(review)) === null ? null : `${path}/video`
    }
    return success(200, whole, "Review")
  })
)

/** The video that waits to be looked at. */
const videoOf = Effect.fnUntraced(function* ({ isOpen, journey, kind }: FoundReview) {
  if (!isOpen || kind !== "VIDEO") return null
  const videos = yield* Videos
  return yield* videos.read(journey.id)
})

const isPictureName = Schema.is(PictureName)

export const getPictureEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/reviews/{reviewId}/pictures/{name}")(function* () {
    const { companyId, review } = yield* pathReview
    const { name } = yield* HttpRouter.params
    if (!review.isOpen || !isPictureName(name)) return yield* notFound("picture")
    const pictures = yield* ReviewPictures
    const jpeg = (yield* pictures.open(review.journey, name)) ?? (yield* notFound("picture"))
    yield* writeDown(companyId, "review.picture_opened", {
      journeyId: review.journey.id,
      reviewId: review.id,
      picture: name
    })
    return HttpServerResponse.uint8Array(jpeg, { contentType: "image/jpeg" })
  })
)

const mediaTypeOf = { MP4: "video/mp4", WEBM: "video/webm" } as const

export const getVideoEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/reviews/{reviewId}/video")(function* () {
    const { companyId, review } = yield* pathReview
    const { bytes, content, kind } = (yield* videoOf(review)) ?? (yield* notFound("video"))
    yield* writeDown(companyId, "review.video_opened", { journeyId: review.journey.id, reviewId: review.id })
    return HttpServerResponse.stream(content, { contentType: mediaTypeOf[kind], contentLength: bytes })
  })
)

const decidedBefore = "Somebody else has decided this review"

export const decideReviewEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/reviews/{reviewId}/decision")(function* (request) {
    const { messageId, review } = yield* pathReview
    const key = yield* optionalIdempotencyKey(request)
    const { decision, reason } = yield* decoded(request, decodeDecision)
    const { journey, kind } = review
    if (kind === "CHECK_UNAVAILABLE") {
      return yield* problem("CONFLICT", "review", "A check that is unavailable is not decided but resent")
    }
    // Asked once more, the journey knows whether it was this very request; any other message would be about a later review.
    if (!review.isOpen && review.told === null) {
      return yield* problem("CONFLICT", "review", "The review is over: the journey has moved on")
    }
    // Without a key every request is somebody's own.
    const fingerprint = yield* fingerprintOf(`${key ?? (yield* Ids).unguessable()}\n${decision}\n${reason}`)
    return yield* askAsTeam(journey, {
      messageId,
      message: messageOf({ ...review, kind }, decision, fingerprint),
      note: reason,
      action: "review.decided",
      details: { reviewId: review.id, kind, decision }
    }).pipe(
      Effect.map((resource) => success(200, resource, "Review decided")),
      Effect.catchTag("JourneyRefused", orConflict(decidedBefore))
    )
  })
)
