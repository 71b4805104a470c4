/**
 * The transition tables of the decisions document as data, written out independently of the code: which message moves
 * which statuses from where to where, with which events in which order and which mails. What is in no row must be
 * ignored or refused. Not a test itself: `transitions.test.ts` holds the code against it.
 */
import type { JourneyMessageTag } from "../../../../src/schema/journey/messages.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { financeRows } from "./financeTransitions.ts"
import { row, type Among, type Row } from "./transitionRow.ts"

const possible = { possible: true }
const impossible = { possible: false }

const financeJourneys: ReadonlyArray<Shape> = [
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY"
]
const open: Among = { identity: ["REQUESTED", "FAILED", "UNDER_REVIEW"] }
const withCustomer: Among = { identity: ["REQUESTED", "FAILED"] }

export const identityRows: ReadonlyArray<Row> = [
  row(
    "the team resends and the check can be started",
    { _tag: "TeamResendsCheck", check: possible },
    { identity: ["UNAVAILABLE"] },
    { identity: "REQUESTED" },
    ["identity.requested"],
    ["VERIFY_IDENTITY"]
  ),
  row(
    "the team resends and the check cannot be started",
    { _tag: "TeamResendsCheck", check: impossible },
    { identity: ["UNAVAILABLE"] },
    { identity: "UNAVAILABLE" },
    ["identity.unavailable"],
    ["CHECK_UNAVAILABLE"]
  ),
  row(
    "the check turns out impossible to start",
    { _tag: "IdentityUnavailable" },
    withCustomer,
    { identity: "UNAVAILABLE" },
    ["identity.unavailable"],
    ["CHECK_UNAVAILABLE"]
  ),
  row(
    "identity is verified on a finance journey",
    { _tag: "IdentityVerified" },
    { ...open, shape: financeJourneys },
    { identity: "VERIFIED" },
    ["identity.verified"]
  ),
  row(
    "identity is verified on a cash sale in store",
    { _tag: "IdentityVerified" },
    { ...open, shape: ["CASH_SALE"], place: ["IN_STORE"] },
    { identity: "VERIFIED", handover: "AWAITING_VIDEO" },
    ["identity.verified", "delivery.awaiting_video"],
    ["RECORD_VIDEO"]
  ),
  row(
    "identity is verified on a cash sale at home",
    { _tag: "IdentityVerified" },
    { ...open, shape: ["CASH_SALE"], place: ["HOME_DELIVERY"] },
    { identity: "VERIFIED", handover: "AWAITING_LOCATION" },
    ["identity.verified"],
    ["CONFIRM_ADDRESS"]
  ),
  row(
    "the check goes to a reviewer",
    { _tag: "IdentityUnderReview" },
    withCustomer,
    { identity: "UNDER_REVIEW" },
    ["identity.under_review"],
    ["REVIEW_NEEDED"]
  ),
  row(
    "the check fails",
    { _tag: "IdentityFailed" },
    open,
    { identity: "FAILED" },
    ["identity.failed"],
    ["VERIFY_IDENTITY again"]
  )
]

const ready: Among = { shape: financeJourneys, finance: [null, "APPROVED"], identity: ["VERIFIED"], handover: [null] }
const checked: Among = { handover: ["VIDEO_UPLOADED"] }
const completion = {
  to: { handover: "COMPLETED", journey: "COMPLETED" },
  events: ["delivery.completed", "journey.completed"],
  mails: ["HANDOVER_COMPLETE"]
} as const

export const handoverRows: ReadonlyArray<Row> = [
  row(
    "the handover is created for home delivery",
    { _tag: "HandoverCreated" },
    { ...ready, place: ["HOME_DELIVERY"] },
    { handover: "AWAITING_LOCATION" },
    ["delivery.created"],
    ["CONFIRM_ADDRESS"]
  ),
  row(
    "the handover is created in store",
    { _tag: "HandoverCreated" },
    { ...ready, place: ["IN_STORE"] },
    { handover: "AWAITING_VIDEO" },
    ["delivery.created", "delivery.awaiting_video"],
    ["RECORD_VIDEO"]
  ),
  row(
    "the customer confirms the address",
    { _tag: "LocationConfirmed" },
    { handover: ["AWAITING_LOCATION"] },
    { handover: "AWAITING_VIDEO" },
    ["delivery.location_confirmed", "delivery.awaiting_video"],
    ["RECORD_VIDEO"]
  ),
  row(
    "the customer's video arrives",
    { _tag: "VideoUploaded" },
    { handover: ["AWAITING_VIDEO"] },
    { handover: "VIDEO_UPLOADED" },
    ["delivery.video_uploaded"]
  ),
  row("the video matches", { _tag: "VideoMatched" }, checked, completion.to, completion.events, completion.mails),
  row(
    "the video is unclear",
    { _tag: "VideoUnclear" },
    checked,
    { handover: "UNDER_REVIEW" },
    ["delivery.under_review"],
    ["REVIEW_NEEDED"]
  ),
  ...[0, 1].map((mismatches) =>
    row(
      `the video does not match, with ${mismatches} mismatches before`,
      { _tag: "VideoNotMatched" },
      { ...checked, mismatches: [mismatches] },
      { handover: "AWAITING_VIDEO", mismatches: mismatches + 1 },
      ["delivery.awaiting_video"],
      ["RECORD_VIDEO again"]
    )
  ),
  row(
    "the video does not match for the third time in a row",
    { _tag: "VideoNotMatched" },
    { ...checked, mismatches: [2] },
    { handover: "UNDER_REVIEW", mismatches: 3 },
    ["delivery.under_review"],
    ["REVIEW_NEEDED"]
  ),
  row(
    "the team approves the video",
    { _tag: "TeamApprovesVideo" },
    { handover: ["UNDER_REVIEW"] },
    completion.to,
    completion.events,
    completion.mails
  ),
  row(
    "the team rejects the video",
    { _tag: "TeamRejectsVideo" },
    { handover: ["UNDER_REVIEW"] },
    { handover: "AWAITING_VIDEO", mismatches: 0 },
    ["delivery.awaiting_video"],
    ["RECORD_VIDEO again"]
  ),
  row(
    "the caller replaces the photo",
    { _tag: "ReplaceFace" },
    { shape: ["FINANCE_SALE"], handover: ["AWAITING_LOCATION", "AWAITING_VIDEO"] },
    { mismatches: 0 },
    ["journey.customer_face_replaced"]
  )
]

const openHandover: Among = {
  handover: ["AWAITING_IDENTITY", "AWAITING_LOCATION", "AWAITING_VIDEO", "VIDEO_UPLOADED", "UNDER_REVIEW"]
}
const noHandover: Among = { handover: [null] }

/** An ending with a handover tells the handover's end first; without one it tells the journey's only (H7). */
const endings = (
  who: string,
  _tag: JourneyMessageTag,
  end: "CANCELLED" | "EXPIRED",
  ...froms: ReadonlyArray<Among>
): ReadonlyArray<Row> =>
  froms.map((from) =>
    from.handover?.includes(null)
      ? row(`${who} without a handover`, { _tag }, from, { journey: end }, [`journey.${end.toLowerCase()}`])
      : row(`${who} at ${from.handover?.join(", ")}`, { _tag }, from, { journey: end, handover: end }, [
          `delivery.${end.toLowerCase()}`,
          `journey.${end.toLowerCase()}`
        ])
  )

export const endingRows: ReadonlyArray<Row> = [
  ...endings("the caller cancels", "Cancel", "CANCELLED", noHandover, openHandover),
  ...endings("the team cancels the handover", "TeamCancelsHandover", "CANCELLED", openHandover),
  ...endings(
    "the customer's window passes",
    "CustomerWindowPassed",
    "EXPIRED",
    { ...noHandover, ...withCustomer },
    { handover: ["AWAITING_IDENTITY"], ...withCustomer },
    { handover: ["AWAITING_LOCATION", "AWAITING_VIDEO"] }
  ),
  ...endings("180 days pass", "SafetyCapPassed", "EXPIRED", noHandover, openHandover)
]

export const rows: ReadonlyArray<Row> = [...financeRows, ...identityRows, ...handoverRows, ...endingRows]
