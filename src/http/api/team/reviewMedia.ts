/**
 * The photos and the video of a review, each opened for one look, and only while the review waits. Every look is in the audit
 * log. As long as they are kept, the case file shows them too (`caseMedia.ts`).
 */
import { Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { ReviewPictures } from "../../../actors/review/ReviewPictures.ts"
import { naming } from "../../../schema/decoding/parameters.ts"
import { PictureName } from "../../../schema/review/Review.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { described } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { writeDown } from "../frame/asTeam.ts"
import { bytes, bytesAs, jpegResponse } from "../frame/bytesAs.ts"
import { notFound } from "../frame/ofCompany.ts"
import { ofReview, reviewAsked, reviewPath, reviewVideo } from "./ofReview.ts"
import { videoResponse } from "../frame/videoResponse.ts"

const ofPicture = { ...ofReview, name: PictureName.annotate({ description: "Which photo", ...naming("picture") }) }

const getPicture = HttpApiEndpoint.get("getPicture", `${reviewPath}/pictures/:name`, {
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

const getReviewVideo = HttpApiEndpoint.get("getReviewVideo", `${reviewPath}/video`, {
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

export const reviewMediaOperations = operatorResource([getPicture, getReviewVideo], {
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
      return jpegResponse(jpeg, review.journey.id, name)
    }),

  getReviewVideo: (asked) =>
    Effect.gen(function* () {
      const { companyId, review } = yield* reviewAsked(asked)
      const video = (yield* reviewVideo(review)) ?? (yield* notFound("video"))
      const details = { journeyId: review.journey.id, reviewId: review.id }
      return yield* videoResponse(asked.request, video, { companyId, action: "review.video_opened", details })
    })
})
