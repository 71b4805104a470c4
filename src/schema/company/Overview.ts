/**
 * What a company's people see first: which of the first steps are done, what waits and for whom, what fails, what runs out, and
 * the last events. Numbers are counted up to a bound. Nothing here is personal.
 */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { ReviewKind } from "../journey/ReviewKind.ts"
import { waitingOn } from "../journey/steps.ts"
import { Mode } from "../Mode.ts"
import { OffReason } from "../webhook/Endpoint.ts"
import { companyLimits } from "./limits.ts"
import { WalletResource } from "./Wallet.ts"

const { mostCounted } = companyLimits

const FirstSteps = Schema.Struct({
  testKey: Schema.Boolean,
  testJourney: Schema.Boolean.annotate({
    description: "Whether any journey was ever started, as far as it is still kept"
  }),
  testEndpoint: Schema.Boolean,
  webhook: Schema.Boolean.annotate({ description: "Whether the test endpoint has taken one of its last deliveries" }),
  team: Schema.Boolean.annotate({ description: "Whether somebody beside the first owner was invited" }),
  identityProvider: Schema.Boolean,
  financePanel: Schema.Boolean,
  credits: Schema.Boolean,
  liveEndpoint: Schema.Boolean.annotate({ description: "Whether live events have an endpoint that is turned on" }),
  liveKey: Schema.Boolean
}).annotate({
  identifier: "FirstSteps",
  description: "Which first steps are done, from the first test journey to live journeys"
})

const counted = {
  mode: Mode,
  count: Schema.Int.annotate({ description: `Counted up to ${mostCounted}` }),
  isMore: Schema.Boolean.annotate({ description: "Whether there are more than were counted" })
}

const OverviewEndpoint = Schema.Struct({
  mode: Mode,
  enabled: Schema.Boolean,
  offReason: Schema.NullOr(OffReason),
  offSince: Schema.NullOr(Schema.String),
  failingSince: Schema.NullOr(Schema.String)
}).annotate({ identifier: "OverviewEndpoint" })

const OverviewEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  mode: Mode,
  journeyId: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotate({ identifier: "OverviewEvent" })

export const OverviewResource = Schema.Struct({
  firstSteps: FirstSteps,
  waiting: Schema.Array(
    Schema.Struct({ ...counted, waitingOn: Schema.Literals(waitingOn) }).annotate({ identifier: "OverviewWaiting" })
  ).annotate({ description: "Running journeys by what they wait on" }),
  reviews: Schema.Array(
    Schema.Struct({
      ...counted,
      kinds: Schema.Array(
        Schema.Struct({ kind: ReviewKind, count: Schema.Int }).annotate({ identifier: "OverviewReviewsOfKind" })
      ).annotate({
        description: "How many of those that were counted are of each kind; a kind without one is left out"
      })
    }).annotate({ identifier: "OverviewReviews" })
  ).annotate({ description: "Open reviews, by mode; a mode without one is left out" }),
  endpoints: Schema.Array(OverviewEndpoint).annotate({ description: "Webhook endpoints that are set" }),
  wallets: Schema.Array(WalletResource),
  mailStoppedAt: Schema.NullOr(Schema.String).annotate({
    description: "Since when mail to customers is stopped; null: it leaves"
  }),
  events: Schema.Array(OverviewEvent).annotate({ description: "The last events, the newest first" })
}).annotate({ identifier: "Overview" })
export type OverviewResource = typeof OverviewResource.Type

export const exampleOverview: OverviewResource = {
  firstSteps: {
    testKey: true,
    testJourney: true,
    testEndpoint: true,
    webhook: true,
    team: false,
    identityProvider: true,
    financePanel: false,
    credits: true,
    liveEndpoint: false,
    liveKey: false
  },
  waiting: [{ mode: "TEST", waitingOn: "CUSTOMER_TO_VERIFY_IDENTITY", count: 3, isMore: false }],
  reviews: [{ mode: "TEST", count: 1, isMore: false, kinds: [{ kind: "IDENTITY", count: 1 }] }],
  endpoints: [{ mode: "TEST", enabled: true, offReason: null, offSince: null, failingSince: null }],
  wallets: [
    { wallet: "APPLICATION", balance: 40, held: 0 },
    { wallet: "IDENTITY", balance: 120, held: 3 }
  ],
  mailStoppedAt: null,
  events: [
    {
      id: exampleId("event", 1),
      type: "journey.created",
      mode: "TEST",
      journeyId: exampleId("journey", 1),
      createdAt: "2026-01-15T10:31:07.218Z"
    }
  ]
}
