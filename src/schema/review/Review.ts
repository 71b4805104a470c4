/**
 * Reviews as a company's team works them off: what is waiting for somebody's eyes, and what they decide. A review bears
 * the id of the event that began it, so it stays the same while it waits, and the next one of the same journey is another.
 */
import { Schema } from "effect"
import { PageQuery } from "../parameters.ts"
import { multilineText } from "../start/text.ts"
import { JourneyType } from "../journey/statuses.ts"
import { Mode } from "../Mode.ts"

/** CHECK_UNAVAILABLE is not decided: the team sees to what is wrong and resends the check. */
export const ReviewKind = Schema.Literals(["IDENTITY", "VIDEO", "CHECK_UNAVAILABLE"])
export type ReviewKind = typeof ReviewKind.Type

/** Photos that may be looked at while their review waits: what the caller sent, and what the customer took. */
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

export const Picture = Schema.Struct({ name: PictureName, path: Schema.String }).annotate({ identifier: "Picture" })

export const ReviewWithPicturesResource = Schema.Struct({
  ...reviewFields,
  open: Schema.Boolean.annotate({ description: "Whether it still waits" }),
  pictures: Schema.Array(Picture).annotate({ description: "None once the review is over" }),
  video: Schema.NullOr(Schema.String).annotate({
    description: "The path of the handover video, while it is what waits for review"
  })
}).annotate({ identifier: "ReviewWithPictures" })
export type ReviewWithPicturesResource = typeof ReviewWithPicturesResource.Type

export const Verdict = Schema.Literals(["APPROVE", "REJECT"])
export type Verdict = typeof Verdict.Type

/** The reason is as long as that of a cancellation (V22). */
export const DecisionBody = Schema.Struct({
  decision: Verdict,
  reason: multilineText(500, 10).annotate({
    description:
      "10 to 500 characters, kept sealed with the journey and never sent in an event. Why an identity check is rejected is shown to the customer"
  })
}).annotate({ identifier: "ReviewDecision" })
export type DecisionBody = typeof DecisionBody.Type

export const ReviewQuery = Schema.Struct({
  mode: Schema.optionalKey(
    Mode.annotate({ description: "Reviews of live journeys, or of test ones", default: "LIVE" })
  ),
  ...PageQuery.fields
})
