/**
 * The part of the settings API that is a company's team at work, as a contract: reviews, their own steps on a journey,
 * its timeline, the stock of vehicles, and the erasure of a customer.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { IdempotencyKey, PageQuery } from "../../schema/parameters.ts"
import {
  DecisionBody,
  PictureName,
  ReviewQuery,
  ReviewResource,
  ReviewWithPicturesResource
} from "../../schema/review/Review.ts"
import { TimelineEntryResource } from "../../schema/journey/timeline.ts"
import { answerOf, failuresOf } from "../server/envelope.ts"
import { JourneyAnswer } from "./journeyShapes.ts"
import { refusals } from "./refusals.ts"
import { company, ofCompany, pages, says, uuid } from "./settingsParts.ts"
import { ErasureResource } from "../../schema/company/Erasure.ts"

const ofReview = { ...ofCompany, reviewId: uuid.annotate({ description: "The review's id" }) }
const ofPicture = { ...ofReview, name: PictureName.annotate({ description: "Which photo" }) }
const ofJourney = { ...ofCompany, journeyId: uuid.annotate({ description: "The journey's id, live or test" }) }
const ofCustomer = { ...ofCompany, customerReference: uuid.annotate({ description: "As journeys and events say it" }) }

const reviews = `${company}/reviews` as const
const review = `${reviews}/:reviewId` as const
const journey = `${company}/journeys/:journeyId` as const

const bytesAs = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

export const ofReviews = [
  HttpApiEndpoint.get("listReviews", reviews, {
    params: ofCompany,
    query: ReviewQuery,
    success: pages("ReviewPage", ReviewResource),
    error: failuresOf(refusals.listReviews)
  }).annotateMerge(
    says(
      "List reviews",
      "What waits for the team, the longest waiting first: identity checks and handover videos that no machine could decide, and checks that could not be started."
    )
  ),
  HttpApiEndpoint.get("getReview", review, {
    params: ofReview,
    success: answerOf("ReviewAnswer", ReviewWithPicturesResource),
    error: failuresOf(refusals.getReview)
  }).annotateMerge(says("Get a review", "With the paths of the photos there are to look at.")),
  HttpApiEndpoint.get("getPicture", `${review}/pictures/:name`, {
    params: ofPicture,
    success: bytesAs("image/jpeg"),
    error: failuresOf(refusals.getPicture)
  }).annotateMerge(
    says(
      "Look at a photo",
      "The photo itself, opened for this one look. Only while its review waits; every look is in the audit log."
    )
  ),
  HttpApiEndpoint.get("getReviewVideo", `${review}/video`, {
    params: ofReview,
    success: bytesAs("video/mp4"),
    error: failuresOf(refusals.getReviewVideo)
  }).annotateMerge(
    says(
      "Look at the video",
      "The handover video as the customer recorded it, `video/mp4` or `video/webm`. Only while it waits; every look is in the audit log."
    )
  ),
  HttpApiEndpoint.post("decideReview", `${review}/decision`, {
    params: ofReview,
    headers: {
      "Idempotency-Key": Schema.optionalKey(
        IdempotencyKey.annotate({ description: "Optional: a decision repeated with the same key is taken once" })
      )
    },
    payload: DecisionBody,
    success: JourneyAnswer,
    error: failuresOf(refusals.decideReview)
  }).annotateMerge(
    says(
      "Decide a review",
      "APPROVE or REJECT an identity check or a video, with the reason. The first decision stands: whoever comes second hears CONFLICT. A check that is unavailable is not decided but resent."
    )
  )
] as const

export const ofTeamSteps = [
  HttpApiEndpoint.post("resendCheck", `${journey}/resend-check`, {
    params: ofJourney,
    success: JourneyAnswer,
    error: failuresOf(refusals.resendCheck)
  }).annotateMerge(
    says(
      "Resend the identity check",
      "For a check that could not be started. If it still cannot be, the journey says so again."
    )
  ),
  HttpApiEndpoint.post("resendLink", `${journey}/resend-link`, {
    params: ofJourney,
    success: JourneyAnswer,
    error: failuresOf(refusals.resendLink)
  }).annotateMerge(
    says(
      "Mail a new link",
      "Mails the customer the link of what they are asked for now, to the address on file. It voids the link they have."
    )
  ),
  HttpApiEndpoint.post("cancelHandover", `${journey}/cancel-handover`, {
    params: ofJourney,
    success: JourneyAnswer,
    error: failuresOf(refusals.cancelHandover)
  }).annotateMerge(says("Cancel the handover", "Ends a journey that has a handover, for good.")),
  HttpApiEndpoint.get("getTimeline", `${journey}/timeline`, {
    params: ofJourney,
    query: PageQuery,
    success: pages("TimelinePage", TimelineEntryResource),
    error: failuresOf(refusals.getTimeline)
  }).annotateMerge(
    says(
      "Read a journey's timeline",
      "Every message from the start on, with its sender, the statuses after it, and its events, deliveries and mails, and the free text it came with."
    )
  )
] as const

export const ofCustomers = [
  HttpApiEndpoint.delete("eraseCustomer", `${company}/customers/:customerReference`, {
    params: ofCustomer,
    success: answerOf("ErasureAnswer", ErasureResource),
    error: failuresOf(refusals.eraseCustomer)
  }).annotateMerge(
    says(
      "Erase a customer",
      "Cancels the customer's running journeys and deletes the key that everything personal of them is sealed with, and the sealed records. Journeys, events and the ledger stay: they hold no personal data. There is no way back. Repeating it is safe and says how far it is."
    )
  )
] as const
