/**
 * The steps that a journey asks of its customer, one row a step. The row says in which statuses whose turn it is, and
 * how the customer's app presents the step. Mail kinds, link targets, `nextAction`, time limits, the sandbox's pages and
 * the team's reviews are derived from these rows. Which message moves a journey from step to step is decided elsewhere,
 * in the transition table of `actors/journey/rules`.
 */
import { Schema } from "effect"
import type { SimulatableEvent } from "./events.ts"
import type { HandoverStatus, IdentityStatus } from "./statuses.ts"
import type { ReviewKind } from "./ReviewKind.ts"

/**
 * Whose turn a step is. LATER: the journey has not come to the step. CUSTOMER: the customer is asked to do it. SERVICE:
 * the service is checking what the customer did. DONE: the step is behind the journey. Any other value names the review
 * in which the company's team looks at the step.
 */
export type Turn = "LATER" | "CUSTOMER" | "SERVICE" | "DONE" | ReviewKind

/** NOT_ASKED: callers see null. */
export type IdentityState = IdentityStatus | "NOT_ASKED"

/** The turn in every status of the region that the step belongs to: a new status is a compile error in each row. */
type Turns =
  | { readonly region: "identity"; readonly turns: Readonly<Record<IdentityState, Turn>> }
  | { readonly region: "handover"; readonly turns: Readonly<Record<HandoverStatus, Turn>> }

/** An outcome that the customer's page of a test journey offers instead of the step itself (decision S3). */
export interface TestOutcome {
  readonly event: SimulatableEvent
  readonly label: string
}

interface AppPage {
  /** The page that does the step. The link in the mail leads there. */
  readonly path: `/app/${string}`
  /** The step in the list of all steps. */
  readonly name: string
  /** What the page behind the mailed link says before the customer signs in. */
  readonly invitation: string
  /** The heading of the page of a test journey. */
  readonly testTitle: string
  readonly testOutcomes: readonly [TestOutcome, ...ReadonlyArray<TestOutcome>]
}

export type StepRow = Turns & {
  /** Which journeys have the step. */
  readonly partOf: "JOURNEYS_WITH_IDENTITY_CHECK" | "HOME_DELIVERIES" | "EVERY_JOURNEY"
  /** When the step has been tried without success, and so is asked for in other words. */
  readonly triedWhen: "CHECK_FAILED" | "VIDEO_MISMATCHED" | "NEVER"
  readonly app: AppPage
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
      REQUESTED: "CUSTOMER",
      FAILED: "CUSTOMER",
      UNDER_REVIEW: "IDENTITY",
      UNAVAILABLE: "CHECK_UNAVAILABLE",
      VERIFIED: "DONE"
    },
    partOf: "JOURNEYS_WITH_IDENTITY_CHECK",
    triedWhen: "CHECK_FAILED",
    app: {
      path: "/app/identity",
      name: "Verify your identity",
      invitation: "The next step is to verify your identity.",
      testTitle: "Simulate the identity check",
      testOutcomes: [
        { event: "identity.verified", label: "The identity is verified" },
        { event: "identity.under_review", label: "The check goes to a reviewer" },
        { event: "identity.failed", label: "The check fails" }
      ]
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
    triedWhen: "NEVER",
    app: {
      path: "/app/address",
      name: "Confirm the delivery address",
      invitation: "The next step is to confirm where your vehicle is delivered.",
      testTitle: "Simulate the delivery address",
      testOutcomes: [{ event: "delivery.location_confirmed", label: "The address is confirmed" }]
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
    triedWhen: "VIDEO_MISMATCHED",
    app: {
      path: "/app/video",
      name: "Record the handover video",
      invitation: "The next step is to record your handover video.",
      testTitle: "Simulate the handover video",
      testOutcomes: [
        { event: "delivery.video_uploaded", label: "A video is uploaded" },
        { event: "delivery.completed", label: "A video is uploaded and matches" },
        { event: "delivery.under_review", label: "A video is uploaded and goes to review" }
      ]
    }
  }
} as const satisfies Readonly<Record<string, StepRow>>

export type CustomerStep = keyof typeof rows

export const STEPS: Readonly<Record<CustomerStep, StepRow>> = rows

// Object.keys loses the key type; the rows are exactly these keys.
const names = Object.keys(rows) as [CustomerStep, ...Array<CustomerStep>]

export const CustomerStep = Schema.Literals(names)
export const customerSteps: ReadonlyArray<CustomerStep> = CustomerStep.literals
export const isCustomerStep = Schema.is(CustomerStep)

/** What callers read in `nextAction` while the journey waits for the customer to do the step. */
export const nextActionOf = <Step extends CustomerStep>(step: Step): `CUSTOMER_TO_${Step}` => `CUSTOMER_TO_${step}`

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
