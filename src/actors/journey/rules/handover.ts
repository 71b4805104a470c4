/**
 * The handover region, the same for every type.
 *
 *     created ──▶ AWAITING_LOCATION (home) ──LocationConfirmed──▶ AWAITING_VIDEO ◀── created (in store)
 *     AWAITING_VIDEO ──VideoUploaded──▶ VIDEO_UPLOADED ──matched──▶ COMPLETED, journey COMPLETED
 *        ▲  ▲                              │  └──unclear, third mismatch──▶ UNDER_REVIEW ──approved──▶ COMPLETED
 *        │  └──first and second mismatch───┘                                     │
 *        └──────────────────────────────rejected────────────────────────────────┘
 *
 * A cash sale's handover exists from the start and waits in AWAITING_IDENTITY first. Endings are in `ending.ts`.
 */
import { completed } from "./ending.ts"
import { isHandoverReady } from "./gates.ts"
import type { Handover, Journey } from "./Journey.ts"
import { andThen, ignored, owe, oweMail, rejected, settle, step, type Outcome, type Step } from "./step.ts"

/** The third clear mismatch in a row goes to the team (H4). */
const mismatchesBeforeReview = 3

const withHandover = (before: Step, change: Partial<Handover>): Partial<Journey> =>
  before.journey.handover === null ? {} : { handover: { ...before.journey.handover, ...change } }

const awaitVideo = (before: Step, again = false): Step =>
  oweMail(
    andThen(before, withHandover(before, { status: "AWAITING_VIDEO" }), { type: "delivery.awaiting_video" }),
    "RECORD_VIDEO",
    again
  )

const awaitLocation = (before: Step): Step =>
  oweMail(andThen(before, withHandover(before, { status: "AWAITING_LOCATION" })), "CONFIRM_ADDRESS")

/** What the customer does first: at home, confirm the address; in store, record the video (H6). */
export const firstStep = (before: Step): Step =>
  before.journey.handoverType === "HOME_DELIVERY" ? awaitLocation(before) : awaitVideo(before)

/** Sets the handover up: delivery.created, then what the customer does first (H2, H6). */
export const createHandover = (before: Step, now: number): Step =>
  firstStep(andThen(before, { handover: newHandover("AWAITING_LOCATION", now) }, { type: "delivery.created" }))

/** A cash sale's handover exists from the start and waits for the identity check (H1). */
export const createCashSaleHandover = (before: Step, now: number): Step =>
  andThen(before, { handover: newHandover("AWAITING_IDENTITY", now) }, { type: "delivery.created" })

const newHandover = (status: Handover["status"], now: number): Handover => ({
  status,
  createdAt: now,
  completedAt: null,
  mismatches: 0
})

/** The join of the two gates; the handover is a durable step of its own (H1). */
export const askForHandoverIfReady = (before: Step): Step =>
  isHandoverReady(before.journey) ? owe(before, { kind: "CREATE_HANDOVER" }) : before

export const handoverCreated = (journey: Journey, now: number): Outcome =>
  isHandoverReady(journey)
    ? createHandover(settle(step(journey), "CREATE_HANDOVER"), now)
    : ignored("no handover is being created")

export const locationConfirmed = (journey: Journey): Outcome =>
  journey.handover?.status === "AWAITING_LOCATION"
    ? awaitVideo(step(journey, { type: "delivery.location_confirmed" }))
    : ignored("no address is waiting to be confirmed")

export const videoUploaded = (journey: Journey): Outcome => {
  if (journey.handover?.status !== "AWAITING_VIDEO") return ignored("no video is awaited")
  const uploaded = step(
    { ...journey, handover: { ...journey.handover, status: "VIDEO_UPLOADED" } },
    { type: "delivery.video_uploaded" }
  )
  return journey.livemode ? owe(uploaded, { kind: "CHECK_VIDEO" }) : uploaded
}

const isBeingChecked = (journey: Journey): boolean => journey.handover?.status === "VIDEO_UPLOADED"

export const videoMatched = (journey: Journey, now: number): Outcome =>
  isBeingChecked(journey) ? completed(settle(step(journey), "CHECK_VIDEO"), now) : ignored("no video is being checked")

export const videoUnclear = (journey: Journey): Outcome =>
  isBeingChecked(journey) ? toReview(settle(step(journey), "CHECK_VIDEO")) : ignored("no video is being checked")

export const videoNotMatched = (journey: Journey): Outcome => {
  if (!isBeingChecked(journey) || journey.handover === null) return ignored("no video is being checked")
  const mismatches = journey.handover.mismatches + 1
  const counted = settle(step({ ...journey, handover: { ...journey.handover, mismatches } }), "CHECK_VIDEO")
  return mismatches >= mismatchesBeforeReview ? toReview(counted) : awaitVideo(counted, true)
}

const toReview = (before: Step): Step =>
  oweMail(
    andThen(before, withHandover(before, { status: "UNDER_REVIEW" }), { type: "delivery.under_review" }),
    "REVIEW_NEEDED"
  )

export const teamApprovesVideo = (journey: Journey, now: number): Outcome =>
  journey.handover?.status === "UNDER_REVIEW" ? completed(step(journey), now) : ignored("no video is under review")

/** The team's rejection sends the customer back to the camera and starts the count of mismatches anew. */
export const teamRejectsVideo = (journey: Journey): Outcome =>
  journey.handover?.status === "UNDER_REVIEW"
    ? awaitVideo(step({ ...journey, handover: { ...journey.handover, mismatches: 0 } }), true)
    : ignored("no video is under review")

/** A new photo of the customer (FINANCE_SALE), refused in the order of V16, V19 and V20. It resets the mismatches (H4). */
export const faceReplaced = (journey: Journey): Outcome => {
  if (journey.shape !== "FINANCE_SALE" || journey.handover === null) {
    return rejected("CUSTOMER_FACE_NOT_USED", "Only FINANCE_SALE deliveries use a customer photo")
  }
  switch (journey.handover.status) {
    case "AWAITING_LOCATION":
    case "AWAITING_VIDEO":
      return step(
        { ...journey, handover: { ...journey.handover, mismatches: 0 } },
        { type: "journey.customer_face_replaced" }
      )
    case "CANCELLED":
    case "EXPIRED":
      return rejected("JOURNEY_FINISHED", "The journey has already ended")
    case "AWAITING_IDENTITY":
    case "VIDEO_UPLOADED":
    case "UNDER_REVIEW":
    case "COMPLETED":
      return rejected(
        "CUSTOMER_FACE_LOCKED",
        "The photo cannot change while a video is being checked or after the handover"
      )
  }
}
