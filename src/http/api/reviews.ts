/**
 * What waits for a company's team: the queue, one review with its photos, and the decision. Two reviewers cannot both
 * decide: the id of the message to the journey follows from the review, so the journey takes one message. A photo is
 * opened for one look, and only while its review waits.
 */
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { ProviderResults } from "../../actors/checks/ProviderResults.ts"
import { Videos } from "../../actors/checks/Videos.ts"
import { derivedId } from "../../actors/journey/rules/derivedId.ts"
import { Ids } from "../../actors/kernel/Ids.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { messageOf, reasonsOfReview } from "../../actors/review/review.ts"
import { attemptsOf } from "../../actors/journey/rules/reviewVerdict.ts"
import { ReviewPictures } from "../../actors/review/ReviewPictures.ts"
import { ReviewQueue, type FoundReview, type Review } from "../../actors/review/ReviewQueue.ts"
import { exampleId } from "../../schema/exampleId.ts"
import type { Consent } from "../../schema/journey/consents.ts"
import { typeOfShape } from "../../schema/journey/statuses.ts"
import { timestamp } from "../../schema/moment.ts"
import { Id, IdempotencyKey, naming } from "../../schema/parameters.ts"
import {
  DecisionBody,
  PictureName,
  ReviewQuery,
  ReviewResource,
  ReviewWithPicturesResource
} from "../../schema/review/Review.ts"
import { startedJourneys } from "../documents/exampleJourneys.ts"
import { JourneyAnswer } from "./journeyAnswer.ts"
import { ofAnyBody, ofAnyCompany } from "../server/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer } from "../server/described.ts"
import { answerOf, refusedWith } from "../server/envelope.ts"
import { problem, success } from "../server/problems.ts"
import { pageAsked, pageOf } from "../server/query.ts"
import { operatorResource } from "../server/serve.ts"
import { askAsTeam, orConflict, writeDown } from "./asTeam.ts"
import { fingerprintOf, optionalIdempotencyKey } from "./asCaller.ts"
import { videoResponse } from "./videoResponse.ts"
import { companyPath, companyAsked, notFound, ofCompany, pages, type AsksForIds } from "./ofCompany.ts"
import type { CompanyId } from "../../schema/ids.ts"

const path = `${companyPath}/reviews` as const
const onePath = `${path}/:reviewId` as const
const ofReview = { ...ofCompany, reviewId: Id.annotate({ description: "The review's id", ...naming("review") }) }
const ofPicture = { ...ofReview, name: PictureName.annotate({ description: "Which photo", ...naming("picture") }) }

const bytesAs = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))
const bytes = (description: string) => ({ description, message: "", examples: {} })

/** The path that opens a review; the answer of `getReview` shows the paths of the review's photos and video below it. */
const pathOf = (companyId: CompanyId, reviewId: string) => `/settings/v1/companies/${companyId}/reviews/${reviewId}`

const example: ReviewResource = {
  id: exampleId("event", 4),
  kind: "IDENTITY",
  mode: "LIVE",
  since: "2026-01-15T10:31:07.218Z",
  journeyId: exampleId("journey", 1),
  journeyType: "IDENTITY_DELIVERY",
  externalReference: "deal-1001",
  attempts: 1,
  reasons: ["FACES_UNCLEAR"]
}

const pictureExamples = (["document", "selfie"] as const).map((name) => ({
  name,
  path: `${pathOf(exampleId("company", 1), example.id)}/pictures/${name}`
}))

const listReviews = HttpApiEndpoint.get("listReviews", path, {
  params: ofCompany,
  query: ReviewQuery,
  success: pages("ReviewPage", ReviewResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List reviews",
    allowedTo: "TEAM",
    description:
      "What waits for the team, the longest waiting first: identity checks and handover videos that no machine could decide, and checks that could not be started.",
    answer: pageAnswer("Reviews", example)
  })
)

const getReview = HttpApiEndpoint.get("getReview", onePath, {
  params: ofReview,
  success: answerOf("ReviewAnswer", ReviewWithPicturesResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a review",
    allowedTo: "TEAM",
    description:
      "With the paths of the photos there are to look at, and the page of the outside provider where it has one.",
    answer: answer("The review", "Review", {
      ...example,
      open: true,
      pictures: pictureExamples,
      reviewUrl: null,
      video: null,
      consents: { identity: { answer: "AGREED", notice: "identity-1-en", at: "2026-01-15T10:30:12.004Z" }, video: null }
    })
  })
)

const getPicture = HttpApiEndpoint.get("getPicture", `${onePath}/pictures/:name`, {
  params: ofPicture,
  success: bytesAs("image/jpeg"),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Look at a photo",
    allowedTo: "TEAM",
    description:
      "The photo itself, opened for this one look. Only while its review waits; every look is in the audit log.",
    answer: bytes("The photo")
  })
)

const getReviewVideo = HttpApiEndpoint.get("getReviewVideo", `${onePath}/video`, {
  params: ofReview,
  success: [bytesAs("video/mp4"), bytesAs("video/mp4").pipe(HttpApiSchema.status(206))],
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Look at the video",
    allowedTo: "TEAM",
    description:
      "The handover video as the customer recorded it, `video/mp4` or `video/webm`. Only while it waits. `Range` is heeded; every look is in the audit log.",
    answer: { 200: bytes("The video"), 206: bytes("The part of the video that `Range` asks for") }
  })
)

const decideReview = HttpApiEndpoint.post("decideReview", `${onePath}/decision`, {
  params: ofReview,
  headers: {
    "Idempotency-Key": Schema.optionalKey(
      IdempotencyKey.annotate({ description: "Optional: a decision repeated with the same key is taken once" })
    )
  },
  payload: DecisionBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "IDEMPOTENCY_KEY_REQUIRED", "CONFLICT")
}).annotateMerge(
  described({
    summary: "Decide a review",
    allowedTo: "TEAM",
    description:
      "APPROVE or REJECT an identity check or a video, with the reason. The first decision stands: whoever comes second hears CONFLICT. A check that is unavailable is not decided but resent.",
    request: jsonExample("The selfie shows the person of the document", {
      decision: "APPROVE",
      reason: "Same person; the document's photo is ten years old"
    } satisfies DecisionBody),
    answer: answer("The journey after it", "Review decided", startedJourneys.IDENTITY_DELIVERY)
  })
)

const resourceOf = ({ id, journey, kind, since }: Review, isOpen = true): ReviewResource => ({
  id,
  kind,
  mode: journey.livemode ? "LIVE" : "TEST",
  since: timestamp(since),
  journeyId: journey.id,
  journeyType: typeOfShape[journey.shape],
  externalReference: journey.externalReference,
  attempts: attemptsOf(journey, kind),
  reasons: isOpen ? reasonsOfReview(journey, kind) : []
})

const shownConsent = (consent: Consent | undefined) =>
  consent === undefined ? null : { answer: consent.answer, notice: consent.notice, at: timestamp(consent.at) }

const consentsOf = ({ consents = {} }: Review["journey"]): ReviewWithPicturesResource["consents"] => ({
  identity: shownConsent(consents.identity),
  video: shownConsent(consents.video)
})

/** The review of the path, with the id of the message that decides the review. */
const reviewAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "reviewId">) {
  const { id: companyId } = yield* companyAsked(asked)
  const reviewId = yield* asked.path("reviewId")
  const messageId = derivedId(yield* Vault, "review", reviewId)
  const queue = yield* ReviewQueue
  const review = (yield* queue.find(companyId, reviewId, messageId)) ?? (yield* notFound("review"))
  return { companyId, messageId, review }
})

/** The video that waits for somebody to look at it. */
const videoOf = Effect.fnUntraced(function* ({ isOpen, journey, kind }: FoundReview) {
  if (!isOpen || kind !== "VIDEO") return null
  const videos = yield* Videos
  return yield* videos.read(journey.id)
})

/** The provider's page about the check that waits for somebody to look at it. */
const reviewUrlOf = Effect.fnUntraced(function* ({ isOpen, journey, kind }: FoundReview) {
  if (!isOpen || kind !== "IDENTITY") return null
  const results = yield* ProviderResults
  return yield* results.reviewUrl(journey.id)
})

const decidedBefore = "Somebody else has decided this review"

export const reviewOperations = operatorResource([listReviews, getReview, getPicture, getReviewVideo, decideReview], {
  listReviews: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { mode = "LIVE", ...query } = yield* asked.query
      const page = pageAsked(query)
      const queue = yield* ReviewQueue
      const waiting = yield* queue.waiting({ companyId: id, livemode: mode === "LIVE" }, page)
      return pageOf(page, waiting, (one) => resourceOf(one))
    }),

  getReview: (asked) =>
    Effect.gen(function* () {
      const { companyId, review } = yield* reviewAsked(asked)
      const pictures = yield* ReviewPictures
      const names = review.isOpen ? yield* pictures.names(review.journey) : []
      const shownAt = pathOf(companyId, review.id)
      return {
        ...resourceOf(review, review.isOpen),
        open: review.isOpen,
        pictures: names.map((name) => ({ name, path: `${shownAt}/pictures/${name}` })),
        reviewUrl: yield* reviewUrlOf(review),
        video: (yield* videoOf(review)) === null ? null : `${shownAt}/video`,
        consents: consentsOf(review.journey)
      }
    }),

  getPicture: (asked) =>
    Effect.gen(function* () {
      const { companyId, review } = yield* reviewAsked(asked)
      const name = yield* asked.path("name")
      if (!review.isOpen) return yield* notFound("picture")
      const pictures = yield* ReviewPictures
      const jpeg = (yield* pictures.open(review.journey, name)) ?? (yield* notFound("picture"))
      yield* writeDown(companyId, "review.picture_opened", {
        journeyId: review.journey.id,
        reviewId: review.id,
        picture: name
      })
      return HttpServerResponse.uint8Array(jpeg, { contentType: "image/jpeg" })
    }),

  getReviewVideo: (asked) =>
    Effect.gen(function* () {
      const { companyId, review } = yield* reviewAsked(asked)
      const video = (yield* videoOf(review)) ?? (yield* notFound("video"))
      const details = { journeyId: review.journey.id, reviewId: review.id }
      return yield* videoResponse(asked.request, video, { companyId, action: "review.video_opened", details })
    }),

  decideReview: (asked) =>
    Effect.gen(function* () {
      const { messageId, review } = yield* reviewAsked(asked)
      const key = yield* optionalIdempotencyKey(asked.request)
      const { decision, reason } = yield* asked.body
      const { journey, kind } = review
      if (kind === "CHECK_UNAVAILABLE") {
        return yield* problem("CONFLICT", "review", "A check that is unavailable is not decided but resent")
      }
      // Asked once more, the journey knows whether it has handled this request; another message would be about a later review.
      if (!review.isOpen && review.taken === null) {
        return yield* problem("CONFLICT", "review", "The review is over: the journey has moved on")
      }
      // Without a key every request is a request of its own.
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
})
