/**
 * How a journey looks from outside: the resource of §2.2 and the data of its events (§6.2). Both are projections of the same
 * facts, so that an event never tells a receiver what a read would not show (W1).
 */
import { echoedOf } from "../../../schema/journey/echoed.ts"
import type { JourneyResource } from "../../../schema/journey/resource.ts"
import {
  typeOfShape,
  type DeliveryStatus,
  type IdentityStatus,
  type JourneyStatus,
  type JourneyType
} from "../../../schema/journey/statuses.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { assuranceOf } from "./state/assurance.ts"
import type { Identity, Journey } from "./state/Journey.ts"
import { nextAction } from "./state/waiting.ts"
import type { JourneyId } from "../../../schema/ids.ts"

/** The journey as GET, list and every operation show it. */
export const journeyResource = (journey: Journey): JourneyResource => ({
  id: journey.id,
  type: typeOfShape[journey.shape],
  status: journey.status,
  livemode: journey.livemode,
  ...echoedOf(journey),
  customerReference: journey.customerReference,
  delivery: deliveryMember(journey),
  finance: financeMember(journey),
  ...(typeOfShape[journey.shape] === "DELIVERY" || journey.identity === null
    ? {}
    : { identity: identityMember(journey.identity) }),
  nextAction: nextAction(journey),
  createdAt: timestamp(journey.createdAt)
})

const financeMember = ({ finance, financeDetails }: Journey): JourneyResource["finance"] =>
  finance === null || financeDetails === null
    ? null
    : {
        status: finance.status,
        panelSubmission: financeDetails.panelSubmission,
        panelName: financeDetails.panelName,
        panelReference: financeDetails.panelReference,
        lender: financeDetails.lender,
        decidedAt: "decidedAt" in finance ? timestamp(finance.decidedAt) : null,
        failureReason: finance.status === "SUBMISSION_FAILED" ? finance.reason : null
      }

const identityMember = (identity: Identity): NonNullable<JourneyResource["identity"]> =>
  identity.status === "NOT_ASKED"
    ? {
        status: null,
        requestedAt: null,
        verifiedAt: null,
        attempts: 0,
        unavailableReason: null,
        assurance: assuranceOf(identity)
      }
    : {
        status: shownStatus(identity),
        requestedAt: timestampOrNull(identity.requestedAt),
        verifiedAt: identity.status === "VERIFIED" ? timestamp(identity.verifiedAt) : null,
        attempts: identity.attempts,
        unavailableReason: identity.status === "UNAVAILABLE" ? identity.reason : null,
        assurance: assuranceOf(identity)
      }

/** Nobody is told of a check before its customer was asked (D2). */
const shownStatus = ({ status }: Identity): IdentityStatus | null =>
  status === "NOT_ASKED" || status === "BEING_STARTED" ? null : status

const deliveryMember = (journey: Journey): JourneyResource["delivery"] => {
  const status = deliveryStatus(journey)
  if (journey.handover === null || status === null) return null
  return {
    status,
    ...(journey.shape === "CASH_SALE" || journey.shape === "FINANCE_SALE" ? { saleType: journey.shape } : {}),
    type: journey.handoverType,
    createdAt: timestamp(journey.handover.createdAt),
    completedAt: timestampOrNull(journey.handover.completedAt),
    expiresAt: journey.window?.kind === "HANDOVER" ? timestampOrNull(journey.window.deadline) : null
  }
}

/** On a cash sale `delivery.status` shows the identity step (§2.2, E4). */
const deliveryStatus = ({ handover, identity }: Journey): DeliveryStatus | null => {
  if (handover === null) return null
  if (handover.status !== "AWAITING_IDENTITY") return handover.status
  switch (identity?.status) {
    case "UNDER_REVIEW":
      return "IDENTITY_UNDER_REVIEW"
    case "UNAVAILABLE":
      return "IDENTITY_UNAVAILABLE"
    case "NOT_ASKED":
    case "BEING_STARTED":
    case "REQUESTED":
    case "FAILED":
    case "VERIFIED":
    case undefined:
      return "AWAITING_IDENTITY"
  }
}

export interface EventData {
  readonly journeyId: JourneyId
  readonly journeyType: JourneyType
  readonly journeyStatus: JourneyStatus
  readonly externalReference: string | null
  readonly customerReference: string
  readonly deliveryStatus?: DeliveryStatus
  readonly financeStatus?: string
  readonly identityStatus?: IdentityStatus
}

/** The `data` of an event. A status is present exactly when the resource's member has a status. */
export const eventData = (journey: Journey): EventData => {
  const type = typeOfShape[journey.shape]
  const delivery = deliveryStatus(journey)
  const identity = type === "DELIVERY" || journey.identity === null ? null : shownStatus(journey.identity)
  return {
    journeyId: journey.id,
    journeyType: type,
    journeyStatus: journey.status,
    externalReference: journey.externalReference,
    customerReference: journey.customerReference,
    ...(delivery === null ? {} : { deliveryStatus: delivery }),
    ...(journey.finance === null ? {} : { financeStatus: journey.finance.status }),
    ...(identity === null ? {} : { identityStatus: identity })
  }
}
