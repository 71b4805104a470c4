/**
 * What the named dealer sees of a handover, put together from the journey's state, the start and the events. Pure.
 * `schema/start/startReaders.ts` lists the members of a start that are shown. Whose handover it is, and who may look, is
 * decided elsewhere.
 */
import type { EventType } from "../../schema/journey/events.ts"
import { nextActionOf } from "../../schema/journey/steps.ts"
import { timestamp, timestampOrNull } from "../../schema/moment.ts"
import { confirmedAddress } from "../../schema/review/ConfirmedAddress.ts"
import type {
  DealerHandoverEntry,
  DealerHandoverResource,
  DealerVideoReview,
  HandoverWait
} from "../../schema/review/DealerHandover.ts"
import { shownOf } from "../../schema/start/allowList.ts"
import { shownToDealer } from "../../schema/start/startReaders.ts"
import type { StoredStart } from "../../schema/start/storedStart.ts"
import type { Handover, Journey } from "../journey/rules/state/Journey.ts"
import { waitsOf } from "../journey/rules/state/waiting.ts"
import type { CaseFacts } from "../review/CaseFiles.ts"
import type { FoundHandover, HandoverEvent, ListedHandover, NamedHandover } from "./Handovers.ts"

const ofStart = (start: StoredStart): Pick<DealerHandoverResource, "customer" | "notes" | "vehicle"> => ({
  customer: shownOf(start.customer, shownToDealer.customer, true),
  vehicle: shownOf(start.vehicle, shownToDealer.vehicle, true),
  ...shownOf(start.delivery, shownToDealer.delivery, true)
})

const nothingPersonal = { customer: null, vehicle: null, notes: null, address: null }

const waitOf = (journey: Journey): HandoverWait | null => {
  const open = waitsOf(journey)?.open ?? null
  // Only a cash sale waits for the identity first, and a broker can start none.
  if (open === null || open.step === "VERIFY_IDENTITY") return null
  switch (open.turn) {
    case "CUSTOMER":
      return nextActionOf(open.step)
    case "SERVICE":
      return "VIDEO_CHECK"
    case "VIDEO":
      return "BROKER_TO_REVIEW"
  }
}

/** A journey whose handover exists. */
const handoverOf = ({ handover }: Journey): Handover => {
  if (handover === null) throw new Error("a handover is shown that does not exist")
  return handover
}

const atFirstSight = ({ broker, journey }: NamedHandover) => {
  const { completedAt, createdAt, status } = handoverOf(journey)
  return {
    journeyId: journey.id,
    broker,
    type: journey.handoverType,
    status,
    waitingOn: waitOf(journey),
    createdAt: timestamp(createdAt),
    completedAt: timestampOrNull(completedAt)
  }
}

export const dealerHandoverEntry = (listed: ListedHandover): DealerHandoverEntry => ({
  ...atFirstSight(listed),
  customerName: listed.customerName,
  registration: listed.registration
})

export const dealerHandover = (
  found: FoundHandover,
  { address, start }: Pick<CaseFacts, "address" | "start">
): DealerHandoverResource => ({
  ...atFirstSight(found),
  expiresAt: found.journey.window?.kind === "HANDOVER" ? timestampOrNull(found.journey.window.deadline) : null,
  erased: start === null,
  ...(start === null
    ? nothingPersonal
    : { ...ofStart(start), address: address && confirmedAddress(address.value, address.at) }),
  reviews: reviewsIn(found.events),
  timeline: found.events.map(({ at, type }) => ({ at: timestamp(at), event: type }))
})

/** What the event after a review says of the review. */
const outcomes: { readonly [Type in EventType]?: DealerVideoReview["state"] } = {
  "delivery.completed": "APPROVED",
  "delivery.awaiting_video": "REJECTED",
  "delivery.cancelled": "ENDED",
  "delivery.expired": "ENDED"
}

const reviewsIn = (events: ReadonlyArray<HandoverEvent>): ReadonlyArray<DealerVideoReview> =>
  events.flatMap(({ at, type }, place) => {
    if (type !== "delivery.under_review") return []
    const after = events[place + 1]
    const state = after === undefined ? undefined : outcomes[after.type]
    const decidedAt = state === "APPROVED" || state === "REJECTED" ? (after?.at ?? null) : null
    return [{ since: timestamp(at), state: state ?? "WAITING", decidedAt: timestampOrNull(decidedAt) }]
  })
