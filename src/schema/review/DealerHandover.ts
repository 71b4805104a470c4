/**
 * A handover as the dealer sees it whom a broker named in a live start (V7, A8): what somebody needs who hands the vehicle
 * over, and nothing of the finance, of the identity check or of the broker's other journeys. What the broker's own team reads
 * is the case file.
 */
import { Schema } from "effect"
import { handoverSteps, nextActionOf } from "../journey/steps.ts"
import { HandoverStatus, HandoverType } from "../journey/statuses.ts"
import { journeyListLimits } from "../company/limits.ts"
import { Id, IdCursor, PageQuery } from "../decoding/parameters.ts"
import { text } from "../decoding/text.ts"
import type { FieldsNamed, NamesIn } from "../start/allowList.ts"
import type { shownToDealer } from "../start/startReaders.ts"
import { ConfirmedAddress } from "./ConfirmedAddress.ts"

/** Whether there is still something to hand over. */
export const HandoverStanding = Schema.Literals(["OPEN", "OVER"])
export type HandoverStanding = typeof HandoverStanding.Type

export const DealerHandoverQuery = Schema.Struct({
  standing: Schema.optionalKey(
    HandoverStanding.annotate({
      description:
        "OPEN: only those that go on. OVER: only those that are complete, cancelled or expired. Without it: both"
    })
  ),
  after: Schema.optionalKey(IdCursor.annotate({ description: "Where to go on: `next` of the answer before" })),
  size: PageQuery.fields.size
})

const { longestSearch } = journeyListLimits

/** A URL is written into logs and histories: what is personal is searched for in a body. */
export const HandoverSearchBody = Schema.Struct({
  standing: DealerHandoverQuery.fields.standing,
  search: text(longestSearch).annotate({
    description:
      "The vehicle's registration (in any case, with or without spaces), the customer's email, the beginning of the broker's name, or the journey's id"
  }),
  after: Schema.optionalKey(Id.annotate({ description: "Where to go on: `next` of the answer before" })),
  size: PageQuery.fields.size
}).annotate({ identifier: "HandoverSearch" })
export type HandoverSearchBody = typeof HandoverSearchBody.Type

/** VIDEO_CHECK: the service compares faces. BROKER_TO_REVIEW: a person of the broker's team decides. */
export const HandoverWait = Schema.Literals([...handoverSteps.map(nextActionOf), "VIDEO_CHECK", "BROKER_TO_REVIEW"])
export type HandoverWait = typeof HandoverWait.Type

const textOrNull = Schema.NullOr(Schema.String)

const atFirstSight = {
  journeyId: Schema.String,
  broker: Schema.String.annotate({
    description: "The name of the company whose journey it is: ask it about the customer"
  }),
  type: HandoverType,
  status: HandoverStatus,
  waitingOn: Schema.NullOr(HandoverWait).annotate({ description: "Null when the handover is over" }),
  createdAt: Schema.String,
  completedAt: textOrNull
}

/** One handover of a list. */
export const DealerHandoverEntry = Schema.Struct({
  ...atFirstSight,
  customerName: textOrNull.annotate({ description: "First and last name; null when the customer was erased" }),
  registration: textOrNull.annotate({ description: "The vehicle's; null when the customer was erased" })
}).annotate({ identifier: "DealerHandoverEntry" })
export type DealerHandoverEntry = typeof DealerHandoverEntry.Type

const Customer = Schema.Struct({
  title: textOrNull,
  firstName: Schema.String,
  lastName: Schema.String,
  email: Schema.String,
  mobile: textOrNull
} satisfies FieldsNamed<NamesIn<typeof shownToDealer.customer, true>>).annotate({
  description: "Whom to hand the vehicle to, and how to reach them"
})

const Vehicle = Schema.Struct({
  registration: Schema.String,
  make: textOrNull,
  model: textOrNull,
  year: Schema.NullOr(Schema.Finite),
  colour: textOrNull
} satisfies FieldsNamed<NamesIn<typeof shownToDealer.vehicle, true>>)

/** What the dealer sees of the rest of the start. */
const rest = {
  notes: textOrNull.annotate({ description: "What the broker wrote for those who hand over" })
} satisfies FieldsNamed<NamesIn<Omit<typeof shownToDealer, "customer" | "vehicle">, true>>

const VideoReview = Schema.Struct({
  since: Schema.String,
  state: Schema.Literals(["WAITING", "APPROVED", "REJECTED", "ENDED"]).annotate({
    description: "ENDED: the handover ended before anybody decided"
  }),
  decidedAt: textOrNull
}).annotate({
  description: "A look that the broker's team takes, or took. The dealer sees its state and decides nothing"
})
export type DealerVideoReview = typeof VideoReview.Type

const Moment = Schema.Struct({
  at: Schema.String,
  event: Schema.String.annotate({ description: "An event of the handover, such as `delivery.video_uploaded`" })
})

export const DealerHandoverResource = Schema.Struct({
  ...atFirstSight,
  expiresAt: textOrNull.annotate({
    description: "Until when the customer can do their part; null while they are not awaited"
  }),
  erased: Schema.Boolean.annotate({ description: "The customer was erased: what was personal is gone" }),
  customer: Schema.NullOr(Customer),
  vehicle: Schema.NullOr(Vehicle),
  address: Schema.NullOr(ConfirmedAddress).annotate({
    description: "Where the vehicle must go: what the customer confirmed; null in store, and until it is confirmed"
  }),
  ...rest,
  reviews: Schema.Array(VideoReview).annotate({ description: "The newest at the end" }),
  timeline: Schema.Array(Moment).annotate({ description: "The events of the handover, the newest at the end" })
}).annotate({ identifier: "DealerHandover" })
export type DealerHandoverResource = typeof DealerHandoverResource.Type
