/**
 * The transition tables of the decisions document as data, written out independently of the code: which message moves
 * which statuses from where to where, with which events in which order and which mails. What is in no row must be
 * ignored or refused. Not a test itself: `transitions.test.ts` holds the code against it.
 */
import type { JourneyMessageTag } from "../../../../src/schema/journey/messages.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { financeRows } from "./financeTransitions.ts"
import { asks, row, type Among, type Row } from "./transitionRow.ts"

const impossible = { possible: false }

const financeJourneys: ReadonlyArray<Shape> = [
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY"
]
const open: Among = { identity: ["REQUESTED", "FAILED", "UNDER_REVIEW"] }
const withCustomer: Among = { identity: ["REQUESTED", "FAILED"] }

const beingStarted: Among = { identity: ["BEING_STARTED"] }
const notAgreed = [null, "REFUSED", "WITHDRAWN"] as const

const results = (
  when: string,
  from: { readonly open: Among; readonly withCustomer: Among },
  first: ReadonlyArray<string>
): ReadonlyArray<Row> => [
  row(
    `identity is verified on a finance journey${when}`,
    { _tag: "IdentityVerified", least: undefined },
    { ...from.open, shape: financeJourneys },
    { identity: "VERIFIED", isPageAwaited: false },
    [...first, "identity.verified"]
  ),
  row(
    `identity is verified on a cash sale in store${when}`,
    { _tag: "IdentityVerified", least: undefined },
    { ...from.open, shape: ["CASH_SALE"], place: ["IN_STORE"] },
    { identity: "VERIFIED", handover: "AWAITING_VIDEO", isPageAwaited: false },
    [...first, "identity.verified", "delivery.awaiting_video"],
    ["RECORD_VIDEO"]
  ),
  row(
    `identity is verified on a cash sale at home${when}`,
    { _tag: "IdentityVerified", least: undefined },
    { ...from.open, shape: ["CASH_SALE"], place: ["HOME_DELIVERY"] },
    { identity: "VERIFIED", handover: "AWAITING_LOCATION", isPageAwaited: false },
    [...first, "identity.verified"],
    ["CONFIRM_ADDRESS"]
  ),
  row(
    `the check reaches less than the company asks for${when}`,
    { _tag: "IdentityVerified", least: "DOCUMENT" },
    from.withCustomer,
    { identity: "UNDER_REVIEW" },
    [...first, "identity.under_review"],
    ["REVIEW_NEEDED"]
  ),
  row(
    `the check goes to a reviewer${when}`,
    { _tag: "IdentityUnderReview" },
    from.withCustomer,
    { identity: "UNDER_REVIEW" },
    [...first, "identity.under_review"],
    ["REVIEW_NEEDED"]
  ),
  row(
    `the check fails${when}`,
    { _tag: "IdentityFailed" },
    from.open,
    { identity: "FAILED" },
    [...first, "identity.failed"],
    ["VERIFY_IDENTITY again"]
  )
]

export const identityRows: ReadonlyArray<Row> = [
  ...asks(({ check, from, events, identity, mails, name }) =>
    row(
      `the team resends ${name}`,
      { _tag: "TeamResendsCheck", check },
      { identity: ["UNAVAILABLE"], ...from },
      identity,
      events,
      mails
    )
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
    "the provider has started the check",
    { _tag: "IdentityCheckStarted" },
    { identity: ["BEING_STARTED"] },
    { identity: "REQUESTED", isPageAwaited: false },
    ["identity.requested"],
    ["VERIFY_IDENTITY"]
  ),
  row(
    "the provider's page comes after its callback",
    { _tag: "IdentityCheckStarted" },
    { ...open, isPageAwaited: [true] },
    { isPageAwaited: false },
    []
  ),
  row(
    "the check turns out impossible to start",
    { _tag: "IdentityUnavailable" },
    { identity: ["BEING_STARTED", "REQUESTED", "FAILED"] },
    { identity: "UNAVAILABLE", isPageAwaited: false },
    ["identity.unavailable"],
    ["CHECK_UNAVAILABLE"]
  ),
  ...results("", { open, withCustomer }, []),
  // A callback that comes before the provider's answer counts as asked first (D2).
  ...results(" before the provider has answered", { open: beingStarted, withCustomer: beingStarted }, [
    "identity.requested"
  ]),
  row(
    "the customer agrees to the comparison of the photos",
    { _tag: "ConsentGiven", step: "identity" },
    { ...withCustomer, identityConsent: notAgreed },
    { identityConsent: "AGREED" },
    []
  ),
  row(
    "the customer does not agree to the comparison of the photos",
    { _tag: "ConsentRefused", step: "identity" },
    { ...withCustomer, identityConsent: notAgreed },
    { identity: "UNDER_REVIEW", identityConsent: "REFUSED" },
    ["identity.under_review"],
    ["REVIEW_NEEDED"]
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
  row(
    "the customer agrees to the comparison of the video",
    { _tag: "ConsentGiven", step: "video" },
    { handover: ["AWAITING_VIDEO"], videoConsent: notAgreed },
    { videoConsent: "AGREED" },
    []
  ),
  row(
    "the customer does not agree to the comparison of the video",
    { _tag: "ConsentRefused", step: "video" },
    { handover: ["AWAITING_VIDEO"], videoConsent: notAgreed },
    { handover: "UNDER_REVIEW", videoConsent: "REFUSED" },
    ["delivery.under_review"],
    ["REVIEW_NEEDED"]
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
      ? row(`${who} without a handover`, { _tag }, from, { journey: end, isPageAwaited: false }, [
          `journey.${end.toLowerCase()}`
        ])
      : row(
          `${who} at ${from.handover?.join(", ")}`,
          { _tag },
          from,
          { journey: end, handover: end, isPageAwaited: false },
          [`delivery.${end.toLowerCase()}`, `journey.${end.toLowerCase()}`]
        )
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
