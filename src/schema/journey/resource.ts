/**
 * The journey as callers read it (§2.2), with the members that the specification leaves open, and a page of the list. Only
 * shapes are here; `actors/journey/rules/projection.ts` fills them.
 */
import { Schema } from "effect"
import { listLimits } from "../limits.ts"
import { echoedFields } from "./echoed.ts"
import {
  Assurance,
  DeliveryStatus,
  FinanceStatus,
  HandoverType,
  IdentityStatus,
  JourneyStatus,
  JourneyType,
  PanelSubmission,
  SubmissionFailure,
  UnavailableReason
} from "./statuses.ts"
import { NextAction } from "./steps.ts"

const Uuid = Schema.String.annotate({ format: "uuid", description: "A UUID" })
const Timestamp = Schema.String.annotate({
  format: "date-time",
  description: "ISO 8601 UTC with milliseconds, for example 2026-01-31T09:30:00.000Z"
})

export const FinanceResource = Schema.Struct({
  status: FinanceStatus,
  panelSubmission: PanelSubmission,
  panelName: Schema.NullOr(Schema.String),
  panelReference: Schema.NullOr(Schema.String),
  lender: Schema.NullOr(Schema.String),
  decidedAt: Schema.NullOr(Timestamp),
  failureReason: Schema.NullOr(SubmissionFailure).annotate({
    description: "Why the application could not be submitted; null unless `status` is SUBMISSION_FAILED"
  })
})

export const IdentityResource = Schema.Struct({
  status: Schema.NullOr(IdentityStatus),
  requestedAt: Schema.NullOr(Timestamp),
  verifiedAt: Schema.NullOr(Timestamp),
  attempts: Schema.Int,
  unavailableReason: Schema.NullOr(UnavailableReason),
  assurance: Assurance.annotate({
    description:
      "What the verification rests on. FACE_MATCH: document and selfie show one face. DOCUMENT: the text of the document was read and fits the customer as well. PROVIDER: an outside provider's word. NONE: not verified, or a person alone decided"
  })
})

export const DeliveryResource = Schema.Struct({
  status: DeliveryStatus,
  saleType: Schema.optionalKey(Schema.Literals(["CASH_SALE", "FINANCE_SALE"])),
  type: HandoverType,
  createdAt: Timestamp,
  completedAt: Schema.NullOr(Timestamp),
  expiresAt: Schema.NullOr(Timestamp)
})

export const JourneyResource = Schema.Struct({
  id: Uuid,
  type: JourneyType,
  status: JourneyStatus,
  livemode: Schema.Boolean,
  ...echoedFields,
  customerReference: Uuid,
  delivery: Schema.NullOr(DeliveryResource),
  finance: Schema.NullOr(FinanceResource),
  identity: Schema.optionalKey(IdentityResource),
  nextAction: Schema.NullOr(NextAction),
  createdAt: Timestamp
}).annotate({ identifier: "Journey", description: "One vehicle-sale journey" })
export type JourneyResource = typeof JourneyResource.Type

export const JourneyPage = Schema.Struct({
  content: Schema.Array(JourneyResource),
  page: Schema.Int,
  size: Schema.Int,
  totalElements: Schema.Int.annotate({
    description: `How many entries the list has: exact up to ${listLimits.mostCounted}, and that number for a longer list`
  }),
  totalIsLowerBound: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "There, and true, when the list has more entries than totalElements says"
  }),
  totalPages: Schema.Int.annotate({
    description: "The pages of totalElements entries. A page behind the last is empty"
  })
}).annotate({ identifier: "JourneyPage" })
export type JourneyPage = typeof JourneyPage.Type
