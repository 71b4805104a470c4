/**
 * The steps that a journey asks of its customer, one row a step. The row says in which statuses whose turn it is, and
 * how the company's people read of the step, and how the customer's app presents it. Mail kinds, link targets, `nextAction`, time limits, the sandbox's pages, the
 * steps that the company's people see and the team's reviews are derived from these rows. Which message moves a journey from step to step is decided elsewhere,
 * in the transition table of `actors/journey/rules`.
 */
import { Schema } from "effect"
import type { ConsentStep } from "./consents.ts"
import type { EventType, SimulatableEvent } from "./events.ts"
import { HandoverStatus, type IdentityStatus } from "./statuses.ts"
import type { ReviewKind } from "./ReviewKind.ts"

/**
 * Whose turn a step is. LATER: the journey has not come to the step. CUSTOMER: the customer is asked to do it. SERVICE:
 * the service prepares the step, or checks what the customer did. DONE: the step is behind the journey. Any other value
 * names the review in which the company's team looks at the step.
 */
export type Turn = "LATER" | "CUSTOMER" | "SERVICE" | "DONE" | ReviewKind

/**
 * The statuses of the identity check as the journey keeps them. NOT_ASKED: the check has not been asked for.
 * BEING_STARTED: an outside provider was asked to start the check and has not answered (D2). Callers see null for both.
 */
export type IdentityState = IdentityStatus | "NOT_ASKED" | "BEING_STARTED"

/** The turn in every status of the region that the step belongs to: a new status is a compile error in each row. */
type Turns =
  | { readonly region: "identity"; readonly turns: Readonly<Record<IdentityState, Turn>> }
  | { readonly region: "handover"; readonly turns: Readonly<Record<HandoverStatus, Turn>> }

/** The words of the page stand in the catalogue of words. */
interface AppPage<Outcome> {
  /** The page that does the step. The link in the mail signs in, and the journey's page leads here. */
  readonly path: `/app/${string}`
  /** The outcomes that the customer's page of a test journey offers instead of the step itself (decision S3). */
  readonly testOutcomes: readonly [Outcome, ...ReadonlyArray<Outcome>]
}

/** The step as the company's people read it. */
interface TeamView {
  /** In the picture of a journey's steps. */
  readonly name: string
  /** What the customer does, after "the customer". */
  readonly does: string
  /** In the list of what a journey waits for. */
  readonly awaited: string
}

export type StepRow<Outcome = SimulatableEvent> = Turns & {
  /** Which journeys have the step. */
  readonly partOf: "JOURNEYS_WITH_IDENTITY_CHECK" | "HOME_DELIVERIES" | "EVERY_JOURNEY"
  /** The events with which the customer is asked; the newest of them began the wait. */
  readonly askedWith: ReadonlyArray<EventType>
  /** The event that says that the customer has done the step. A handover that ended early is read by it. */
  readonly doneWith: EventType
  /** The step looks at a face: what the customer must have agreed to before its camera. */
  readonly consent: ConsentStep | null
  /** When the step has been tried without success, and so is asked for in other words. */
  readonly triedWhen: "CHECK_FAILED" | "VIDEO_MISMATCHED" | "NEVER"
  readonly team: TeamView
  readonly app: AppPage<Outcome>
}

/**
 * Keyed by the step's name, in the order in which a journey comes to them. The name of a step is also the kind of the
 * mail that asks for it and the value that `sign_in_links.step` stores.
 */
const rows = {
  VERIFY_IDENTITY: {
    region: "identity",
    turns: {
      NOT_ASKED: "LATER",
      BEING_STARTED: "SERVICE",
      REQUESTED: "CUSTOMER",
      FAILED: "CUSTOMER",
      UNDER_REVIEW: "IDENTITY",
      UNAVAILABLE: "CHECK_UNAVAILABLE",
      VERIFIED: "DONE"
    },
    partOf: "JOURNEYS_WITH_IDENTITY_CHECK",
    askedWith: ["identity.requested", "identity.failed"],
    doneWith: "identity.verified",
    consent: "identity",
    triedWhen: "CHECK_FAILED",
    team: {
      name: "Identity check",
      does: "verifies their identity",
      awaited: "The customer's identity check"
    },
    app: {
      path: "/app/identity",
      testOutcomes: ["identity.verified", "identity.under_review", "identity.failed"]
    }
  },
  CONFIRM_ADDRESS: {
    region: "handover",
    turns: {
      AWAITING_IDENTITY: "LATER",
      AWAITING_LOCATION: "CUSTOMER",
      AWAITING_VIDEO: "DONE",
      VIDEO_UPLOADED: "DONE",
      UNDER_REVIEW: "DONE",
      COMPLETED: "DONE",
      CANCELLED: "DONE",
      EXPIRED: "DONE"
    },
    partOf: "HOME_DELIVERIES",
    // A cash sale's address is asked for when the identity is verified.
    askedWith: ["delivery.created", "identity.verified"],
    doneWith: "delivery.location_confirmed",
    consent: null,
    triedWhen: "NEVER",
    team: {
      name: "Delivery address",
      does: "confirms the address",
      awaited: "The customer's address for the handover"
    },
    app: {
      path: "/app/address",
      testOutcomes: ["delivery.location_confirmed"]
    }
  },
  RECORD_VIDEO: {
    region: "handover",
    turns: {
      AWAITING_IDENTITY: "LATER",
      AWAITING_LOCATION: "LATER",
      AWAITING_VIDEO: "CUSTOMER",
      VIDEO_UPLOADED: "SERVICE",
      UNDER_REVIEW: "VIDEO",
      COMPLETED: "DONE",
      CANCELLED: "LATER",
      EXPIRED: "LATER"
    },
    partOf: "EVERY_JOURNEY",
    askedWith: ["delivery.awaiting_video"],
    doneWith: "delivery.completed",
    consent: "video",
    triedWhen: "VIDEO_MISMATCHED",
    team: {
      name: "Handover video",
      does: "records the handover video",
      awaited: "The customer's handover video"
    },
    app: {
      path: "/app/video",
      testOutcomes: ["delivery.video_uploaded", "delivery.completed", "delivery.under_review"]
    }
  }
} as const satisfies Readonly<Record<string, StepRow>>

export type CustomerStep = keyof typeof rows

/** The turns that a step can have, over all statuses of its region. */
export type TurnOf<Step extends CustomerStep> =
  (typeof rows)[Step]["turns"] extends Readonly<Record<string, infer Value extends Turn>> ? Value : never

/** The steps that have the turn in some status. */
export type StepWithTurn<One extends Turn> = {
  [Step in CustomerStep]: One extends TurnOf<Step> ? Step : never
}[CustomerStep]

/** The steps of the handover. */
export type HandoverStep = {
  [Step in CustomerStep]: (typeof rows)[Step]["region"] extends "handover" ? Step : never
}[CustomerStep]

/** The steps that look at a face. */
export type CameraStep = {
  [Step in CustomerStep]: (typeof rows)[Step]["consent"] extends null ? never : Step
}[CustomerStep]

/** What the customer must have agreed to before the step's camera. */
export const consentOf = (step: CameraStep): ConsentStep => rows[step].consent

/** The outcomes that the step of a test journey offers: the catalogue of words has a label for each. */
export type TestOutcomeOf<Step extends CustomerStep> = (typeof rows)[Step]["app"]["testOutcomes"][number]
export type TestOutcome = TestOutcomeOf<CustomerStep>

export const STEPS: Readonly<Record<CustomerStep, StepRow<TestOutcome>>> = rows

// Object.keys loses the key type; the rows are exactly these keys.
const names = Object.keys(rows) as [CustomerStep, ...Array<CustomerStep>]

export const CustomerStep = Schema.Literals(names)
export const customerSteps: ReadonlyArray<CustomerStep> = CustomerStep.literals
export const isCustomerStep = Schema.is(CustomerStep)

export const handoverSteps: ReadonlyArray<HandoverStep> = customerSteps.filter(
  (step): step is HandoverStep => STEPS[step].region === "handover"
)

/** The statuses of the handover in which the customer is asked for a step. */
export const handoverAwaitsCustomer: ReadonlyArray<HandoverStatus> = HandoverStatus.literals.filter((status) =>
  Object.values(STEPS).some((row) => row.region === "handover" && row.turns[status] === "CUSTOMER")
)

/** A confirmed address can be corrected at these steps: until the customer has sent the video. */
export const stepsWithOpenAddress: ReadonlyArray<CustomerStep> = customerSteps.slice(
  customerSteps.indexOf("CONFIRM_ADDRESS"),
  customerSteps.indexOf("RECORD_VIDEO") + 1
)

/** The reminders of a step that the customer has not done, in their order. LAST: the customer's window ends soon. */
export const Reminder = Schema.Literals(["FIRST", "SECOND", "LAST"])
export type Reminder = typeof Reminder.Type

/** What callers read in `nextAction` while the journey waits for the customer to do the step. */
export const nextActionOf = <Step extends CustomerStep>(step: Step): `CUSTOMER_TO_${Step}` => `CUSTOMER_TO_${step}`

type CustomerAction = ReturnType<typeof nextActionOf<CustomerStep>>

/** Something of each step, by the `nextAction` that asks for it. */
export const byNextAction = <A>(of: (step: CustomerStep) => A): Readonly<Record<CustomerAction, A>> =>
  // Object.fromEntries loses the key type; the entries are exactly these.
  Object.fromEntries(customerSteps.map((step) => [nextActionOf(step), of(step)])) as Record<CustomerAction, A>

/** What an active journey waits for, as callers read it (§2.2). */
export const NextAction = Schema.Literals([
  ...customerSteps.map(nextActionOf),
  "DEALER_TO_REVIEW",
  "IDENTITY_UNDER_REVIEW",
  "SEND_FINANCE_DECISION",
  "AWAITING_LENDER_DECISION",
  "HANDOVER_BEING_CREATED"
])
export type NextAction = typeof NextAction.Type

/**
 * What an active journey waits for: its next action. SERVICE means the service itself, UNKNOWN a journey that was last
 * written before an upgrade.
 */
export const waitingOn = [...NextAction.literals, "SERVICE", "UNKNOWN"] as const
