/**
 * The reviews that a company's team decides, as the API shows them, and the team's decision. A review has the id of the
 * event that began it: the id stays the same while the review waits, and the journey's next review has another id. Which
 * review a journey has is decided by the journey's rules.
 */
import { Schema } from "effect"
import { PageQuery } from "../parameters.ts"
import { multilineText } from "../start/text.ts"
import { ReviewKind } from "../journey/ReviewKind.ts"
import { JourneyType } from "../journey/statuses.ts"
import { Mode } from "../Mode.ts"
import { reviewLimits } from "./limits.ts"

const { longestReason, shortestReason } = reviewLimits

/** Photos that a reviewer may look at while the review waits: the caller's photo, and the photos that the customer took. */
export const PictureName = Schema.Literals(["customer-photo", "document", "selfie"])
export type PictureName = typeof PictureName.Type

const reviewFields = {
  id: Schema.String,
  kind: ReviewKind,
  mode: Mode,
  since: Schema.String,
  journeyId: Schema.String,
  journeyType: JourneyType,
  externalReference: Schema.NullOr(Schema.String),
  attempts: Schema.Int.annotate({
    description: "How often the customer has tried: identity checks, or videos in a row that did not match"
  })
}

export const ReviewResource = Schema.Struct(reviewFields).annotate({ identifier: "Review" })
export type ReviewResource = typeof ReviewResource.Type

const PictureResource = Schema.Struct({ name: PictureName, path: Schema.String }).annotate({ identifier: "Picture" })

export const ReviewWithPicturesResource = Schema.Struct({
  ...reviewFields,
  open: Schema.Boolean.annotate({ description: "Whether it still waits" }),
  pictures: Schema.Array(PictureResource).annotate({ description: "None once the review is over" }),
  video: Schema.NullOr(Schema.String).annotate({
    description: "The path of the handover video, while it is what waits for review"
  })
}).annotate({ identifier: "ReviewWithPictures" })
export type ReviewWithPicturesResource = typeof ReviewWithPicturesResource.Type

export const ReviewVerdict = Schema.Literals(["APPROVE", "REJECT"])
export type ReviewVerdict = typeof ReviewVerdict.Type

export const DecisionBody = Schema.Struct({
  decision: ReviewVerdict,
  reason: multilineText(longestReason, shortestReason).annotate({
    description: `${shortestReason} to ${longestReason} characters, kept sealed with the journey and never sent in an event. Why an identity check is rejected is shown to the customer`
  })
}).annotate({ identifier: "ReviewDecision" })
export type DecisionBody = typeof DecisionBody.Type

export const ReviewQuery = Schema.Struct({
  mode: Schema.optionalKey(
    Mode.annotate({ description: "Reviews of live journeys, or of test ones", default: "LIVE" })
  ),
  ...PageQuery.fields
})
