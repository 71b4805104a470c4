/**
 * The transition tables of the decisions document as data, written out independently of the code: which message moves
 * which statuses from where to where, with which events in which order and which mails. What is in no row must be
 * ignored or refused. Not a test itself: `transitions.test.ts` holds the code against it.
 */
import type { Journey } from "../../../src/actors/journey/Journey.ts"
import type { JourneyMessage, JourneyMessageTag } from "../../../src/schema/messages.ts"
import type { HandoverType, Shape } from "../../../src/schema/statuses.ts"

/** The statuses of a journey, flat. */
export interface Statuses {
  readonly shape: Shape
  readonly place: HandoverType
  readonly journey: Journey["status"]
  readonly finance: NonNullable<Journey["finance"]>["status"] | "SUBMITTED, accepted" | null
  readonly identity: NonNullable<Journey["identity"]>["status"] | null
  readonly handover: NonNullable<Journey["handover"]>["status"] | null
  readonly mismatches: number
}

export const statusesOf = (journey: Journey): Statuses => ({
  shape: journey.shape,
  place: journey.handoverType,
  journey: journey.status,
  finance:
    journey.finance?.status === "SUBMITTED" && journey.finance.accepted
      ? "SUBMITTED, accepted"
      : (journey.finance?.status ?? null),
  identity: journey.identity?.status ?? null,
  handover: journey.handover?.status ?? null,
  mismatches: journey.handover?.mismatches ?? 0
})

type Among = { readonly [Name in keyof Statuses]?: ReadonlyArray<Statuses[Name]> }
/** Any members of a message: an object that some messages contain. */
interface Pattern {
  readonly _tag: JourneyMessageTag
  readonly decision?: string
  readonly check?: { readonly possible: boolean }
}

export interface Row {
  readonly name: string
  readonly tells: Pattern
  /** Only ACTIVE journeys move; `from` says the rest. */
  readonly from: Among
  readonly to: Partial<Statuses>
  readonly events: ReadonlyArray<string>
  readonly mails: ReadonlyArray<string>
}

const contains = (value: unknown, pattern: object): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(pattern).every(([name, wanted]) => {
    const member: unknown = Reflect.get(value, name)
    return typeof wanted === "object" && wanted !== null ? contains(member, wanted) : member === wanted
  })

export const applies = (row: Row, statuses: Statuses, message: JourneyMessage): boolean =>
  statuses.journey === "ACTIVE" &&
  contains(message, row.tells) &&
  Object.entries(row.from).every(([name, allowed]) =>
    (allowed as ReadonlyArray<unknown>).includes(Reflect.get(statuses, name))
  )

const row = (
  name: string,
  tells: Pattern,
  from: Among,
  to: Partial<Statuses>,
  events: ReadonlyArray<string>,
  mails: ReadonlyArray<string> = []
): Row => ({ name, tells, from, to, events, mails })

const possible = { possible: true }
const impossible = { possible: false }

const caller: Among = { shape: ["FINANCE_ALREADY_SUBMITTED"], finance: ["SUBMITTED, accepted", "REFERRED"] }
const panel: Among = { shape: ["FINANCE_SUBMIT_VIA_MIRA"], finance: ["SUBMITTED, accepted", "REFERRED"] }
const unaccepted: Among = { shape: ["FINANCE_SUBMIT_VIA_MIRA"], finance: ["SUBMITTED"] }

const decisions = (who: string, _tag: JourneyMessageTag, from: Among): ReadonlyArray<Row> => [
  row(`${who} approves`, { _tag, decision: "APPROVED" }, from, { finance: "APPROVED" }, ["finance_enquiry.approved"], [
    "FINANCE_APPROVED"
  ]),
  row(`${who} refers`, { _tag, decision: "REFERRED" }, from, { finance: "REFERRED" }, ["finance_enquiry.referred"], [
    "FINANCE_UPDATED"
  ]),
  row(
    `${who} declines`,
    { _tag, decision: "DECLINED" },
    from,
    { finance: "DECLINED", journey: "CANCELLED" },
    ["finance_enquiry.declined", "journey.cancelled"],
    ["FINANCE_UPDATED"]
  )
]

export const financeRows: ReadonlyArray<Row> = [
  ...decisions("the caller", "FinanceDecision", caller),
  ...decisions("the panel", "PanelDecision", panel),
  row(
    "the panel accepts and the check can be started",
    { _tag: "PanelAccepted", check: possible },
    unaccepted,
    { finance: "SUBMITTED, accepted", identity: "REQUESTED" },
    ["identity.requested"],
    ["VERIFY_IDENTITY"]
  ),
  row(
    "the panel accepts and the check cannot be started",
    { _tag: "PanelAccepted", check: impossible },
    unaccepted,
    { finance: "SUBMITTED, accepted", identity: "UNAVAILABLE" },
    ["identity.unavailable"],
    ["CHECK_UNAVAILABLE"]
  ),
  row(
    "the panel approves before it accepted",
    { _tag: "PanelDecision", decision: "APPROVED", check: possible },
    unaccepted,
    { finance: "APPROVED", identity: "REQUESTED" },
    ["identity.requested", "finance_enquiry.approved"],
    ["VERIFY_IDENTITY", "FINANCE_APPROVED"]
  ),
  row(
    "the panel approves before it accepted and the check cannot be started",
    { _tag: "PanelDecision", decision: "APPROVED", check: impossible },
    unaccepted,
    { finance: "APPROVED", identity: "UNAVAILABLE" },
    ["identity.unavailable", "finance_enquiry.approved"],
    ["CHECK_UNAVAILABLE", "FINANCE_APPROVED"]
  ),
  row(
    "the panel refers before it accepted",
    { _tag: "PanelDecision", decision: "REFERRED", check: possible },
    unaccepted,
    { finance: "REFERRED", identity: "REQUESTED" },
    ["identity.requested", "finance_enquiry.referred"],
    ["VERIFY_IDENTITY", "FINANCE_UPDATED"]
  ),
  row(
    "the panel refers before it accepted and the check cannot be started",
    { _tag: "PanelDecision", decision: "REFERRED", check: impossible },
    unaccepted,
    { finance: "REFERRED", identity: "UNAVAILABLE" },
    ["identity.unavailable", "finance_enquiry.referred"],
    ["CHECK_UNAVAILABLE", "FINANCE_UPDATED"]
  ),
  row(
    "the panel declines before it accepted: nobody is asked to verify",
    { _tag: "PanelDecision", decision: "DECLINED" },
    unaccepted,
    { finance: "DECLINED", journey: "CANCELLED" },
    ["finance_enquiry.declined", "journey.cancelled"],
    ["FINANCE_UPDATED"]
  ),
  row(
    "the application cannot be submitted",
    { _tag: "PanelFailed" },
    unaccepted,
    { finance: "SUBMISSION_FAILED", journey: "CANCELLED" },
    ["finance_enquiry.submission_failed", "journey.cancelled"],
    ["SUBMISSION_FAILED"]
  )
]

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
  row("the check fails", { _tag: "IdentityFailed" }, open, { identity: "FAILED" }, ["identity.failed"], [
    "VERIFY_IDENTITY again"
  ])
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
  row("the video is unclear", { _tag: "VideoUnclear" }, checked, { handover: "UNDER_REVIEW" }, ["delivery.under_review"], [
    "REVIEW_NEEDED"
  ]),
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
