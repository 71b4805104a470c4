/**
 * The reviews that a company's team decides, as the API shows them, and the team's decision. A review has the id of the
 * event that began it: the id stays the same while the review waits, and the journey's next review has another id. Which
 * review a journey has is decided by the journey's rules.
 */
import { Schema } from "effect"
import { PageQuery } from "../decoding/parameters.ts"
import { ConsentAnswer } from "../journey/consents.ts"
import { ReviewKind } from "../journey/ReviewKind.ts"
import { CheckReason, JourneyType } from "../journey/statuses.ts"
import { Mode } from "../Mode.ts"
import { lengthOfReason, ReasonText } from "../company/reasonText.ts"
import { CustomerReads } from "./CustomerReads.ts"

const TeamDecision = Schema.Struct({
  decision: Schema.Literals(["APPROVE", "REJECT", "RESEND"]),
  at: Schema.String,
  by: Schema.String.annotate({
    description: "Who decided, as the audit log names people: `operator`, `member:` with an id"
  }),
  byName: Schema.String.annotate({
    description: "Of a member the address, and `a former member` once they were removed; else the same as `by`"
  })
}).annotate({ identifier: "TeamDecision" })

/**
 * Photos that a reviewer may look at while the review waits: the caller's photo, the photos that the customer took, and the
 * portrait that an outside provider sent.
 */
export const PictureName = Schema.Literals(["customer-photo", "document", "selfie", "portrait"])
export type PictureName = typeof PictureName.Type

/** Who has a review open: a hint for colleagues, which forbids nobody anything. */
const ReviewLooker = Schema.Struct({
  by: Schema.String.annotate({ description: "As the audit log names people: `operator`, `member:` with an id" }),
  byName: Schema.String.annotate({ description: "Of a member the address; else the same as `by`" }),
  since: Schema.String
}).annotate({ identifier: "ReviewLooker" })
export type ReviewLooker = typeof ReviewLooker.Type

const reviewFields = {
  id: Schema.String,
  kind: ReviewKind,
  mode: Mode,
  since: Schema.String,
  journeyId: Schema.String,
  journeyType: JourneyType,
  externalReference: Schema.NullOr(Schema.String),
  customerName: Schema.NullOr(Schema.String).annotate({ description: "Null when the customer was erased" }),
  registration: Schema.NullOr(Schema.String).annotate({
    description: "Of the vehicle; null when the customer was erased"
  }),
  attempts: Schema.Int.annotate({
    description: "How often the customer has tried: identity checks, or videos in a row that did not match"
  }),
  openedBy: Schema.Array(ReviewLooker).annotate({
    description:
      "Who has it open in the console at this moment, whoever was first at the beginning. It forbids nobody to decide, and is empty once the review is over"
  }),
  reasons: Schema.Array(Schema.String).annotate({
    description: `Why the team is asked, as codes: ${CheckReason.literals.join(", ")}, a provider's own, or why a check could not be made. None once the review is over`
  })
}

export const ReviewResource = Schema.Struct(reviewFields).annotate({ identifier: "Review" })
export type ReviewResource = typeof ReviewResource.Type

const ShownConsent = Schema.NullOr(
  Schema.Struct({
    answer: ConsentAnswer,
    notice: Schema.String.annotate({
      description: "The version of the notice; `start` for a consent that came with the start"
    }),
    at: Schema.String,
    agreed: Schema.NullOr(Schema.Struct({ notice: Schema.String, at: Schema.String })).annotate({
      description: "Of a consent that was withdrawn: what the customer had agreed to, and when"
    })
  })
)

const PictureResource = Schema.Struct({ name: PictureName, path: Schema.String }).annotate({ identifier: "Picture" })

const openField = Schema.Boolean.annotate({ description: "Whether it still waits" })

const decidedField = Schema.NullOr(TeamDecision).annotate({
  description:
    "The team's decision, RESEND for a check that could not be started; null while the review waits, and when the journey moved on without the team"
})

export const ReviewWithPicturesResource = Schema.Struct({
  ...reviewFields,
  open: openField,
  decided: decidedField,
  pictures: Schema.Array(PictureResource).annotate({ description: "None once the review is over" }),
  reviewUrl: Schema.NullOr(Schema.String).annotate({
    description: "The outside provider's own page about the identity check that waits for review"
  }),
  video: Schema.NullOr(Schema.String).annotate({
    description: "The path of the handover video, while it is what waits for review"
  }),
  consents: Schema.Struct({ identity: ShownConsent, video: ShownConsent }).annotate({
    description: "What the customer last answered to the comparison of faces; null while they have not been asked"
  }),
  queue: Schema.Struct({
    previous: Schema.NullOr(Schema.String).annotate({ description: "The review that has waited a little longer" }),
    next: Schema.NullOr(Schema.String),
    waiting: Schema.Int.annotate({ description: "How many wait in all" })
  }).annotate({ description: "What waits beside it, of journeys of its mode and of the kind that was asked for" }),
  customerReads: Schema.Array(CustomerReads).annotate({
    description:
      "What the customer will read, by the decision: APPROVE and REJECT, or RESEND for a check that could not be started. None once the review is over"
  })
}).annotate({ identifier: "ReviewWithPictures" })
export type ReviewWithPicturesResource = typeof ReviewWithPicturesResource.Type

/** What changes about a review while somebody looks at it. */
export const ReviewStanding = Schema.Struct({
  open: openField,
  decided: decidedField,
  openedBy: reviewFields.openedBy
}).annotate({ identifier: "ReviewStanding" })
export type ReviewStanding = typeof ReviewStanding.Type

export const ReviewVerdict = Schema.Literals(["APPROVE", "REJECT"])
export type ReviewVerdict = typeof ReviewVerdict.Type

export const DecisionBody = Schema.Struct({
  decision: ReviewVerdict,
  reason: ReasonText.annotate({
    description: `${lengthOfReason}, kept sealed with the journey and never sent in an event. Why an identity check is rejected is shown to the customer`
  })
}).annotate({ identifier: "ReviewDecision" })
export type DecisionBody = typeof DecisionBody.Type

const kind = Schema.optionalKey(ReviewKind.annotate({ description: "Only reviews of this kind" }))

/** What is asked about one review: the reviews beside it, as a list of this kind has them. */
export const BesideQuery = Schema.Struct({ kind })

export const ReviewQuery = Schema.Struct({
  kind,
  mode: Schema.optionalKey(
    Mode.annotate({ description: "Reviews of live journeys, or of test ones", default: "LIVE" })
  ),
  ...PageQuery.fields
})
