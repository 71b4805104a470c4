/**
 * The state of a journey as its actor keeps it and its row stores it: ids, statuses and times, and no personal data. Finance
 * and identity are unions with one member for each status, so that a field exists only where it is true. How states follow
 * one another is in the transition table; how callers see them is in `../projection.ts`. The keys are stored, so they keep
 * their spelling: `owed` holds the pending effects, and `owedCount` counts them.
 */
import { Schema } from "effect"
import { SchemaJITCompiler } from "effect/schema"
import { ClockId, CompanyId, JourneyId } from "../../../../schema/ids.ts"
import { Consents } from "../../../../schema/journey/consents.ts"
import { echoedFields } from "../../../../schema/journey/echoed.ts"
import { JourneyMessage } from "../../../../schema/journey/messages.ts"
import { JourneyMailKind } from "../../../../schema/mail/mailKinds.ts"
import { Reminder } from "../../../../schema/journey/steps.ts"
import { Scenario } from "../../../../schema/journey/sandbox.ts"
import {
  Assurance,
  HandoverStatus,
  HandoverType,
  JourneyStatus,
  PanelSubmission,
  ReasonCodes,
  Shape,
  SubmissionFailure,
  UnavailableReason
} from "../../../../schema/journey/statuses.ts"

/** Epoch milliseconds, UTC. */
const Instant = Schema.Finite

const financeStatus = <const Status extends string, const Fields extends Schema.Struct.Fields>(
  status: Status,
  fields: Fields
) => Schema.Struct({ status: Schema.Literal(status), ...fields })

/**
 * `accepted`: the panel has taken the application. An ALREADY_SUBMITTED application always is accepted.
 */
export const Finance = Schema.Union([
  financeStatus("SUBMITTED", { accepted: Schema.Boolean }),
  financeStatus("REFERRED", {}),
  financeStatus("APPROVED", { decidedAt: Instant }),
  financeStatus("DECLINED", { decidedAt: Instant }),
  financeStatus("SUBMISSION_FAILED", { decidedAt: Instant, reason: SubmissionFailure })
])
export type Finance = typeof Finance.Type

/** What the caller said about the application; the resource shows it. */
export const FinanceDetails = Schema.Struct({
  panelSubmission: PanelSubmission,
  panelName: Schema.NullOr(Schema.String),
  panelReference: Schema.NullOr(Schema.String),
  lender: Schema.NullOr(Schema.String)
})

/** `check` numbers the asks, so that the result of an earlier ask is known to be late (D5). Older journeys have no number. */
const asked = { requestedAt: Instant, attempts: Schema.Int, check: Schema.optionalKey(Schema.Int) }
/** Why the check came to its result, where the check has said so. */
const reasoned = { reasons: Schema.optionalKey(ReasonCodes) }
const unasked = { requestedAt: Schema.NullOr(Instant), attempts: Schema.Int, check: Schema.optionalKey(Schema.Int) }
/** What the check has reached (D8). Absent: nothing, or the check was verified by an earlier release. */
const assured = { assurance: Schema.optionalKey(Assurance) }
/**
 * NOT_ASKED: the check has not been asked for. BEING_STARTED: the outside provider has not yet answered with its page (D2).
 * Callers see null for both. `requestedAt` is null until the customer was asked.
 */
export const Identity = Schema.Union([
  Schema.Struct({ status: Schema.Literal("NOT_ASKED") }),
  Schema.Struct({ status: Schema.Literal("BEING_STARTED"), ...unasked }),
  Schema.Struct({ status: Schema.Literal("REQUESTED"), ...asked }),
  Schema.Struct({ status: Schema.Literal("UNDER_REVIEW"), ...asked, ...reasoned, ...assured }),
  Schema.Struct({ status: Schema.Literal("FAILED"), ...asked, ...reasoned }),
  Schema.Struct({ status: Schema.Literal("UNAVAILABLE"), ...unasked, reason: UnavailableReason }),
  Schema.Struct({ status: Schema.Literal("VERIFIED"), ...asked, verifiedAt: Instant, ...assured })
])
export type Identity = typeof Identity.Type

/** `mismatches` counts the clear mismatches of the video in a row (H4). Only a handover under review has reasons. */
export const Handover = Schema.Struct({
  status: HandoverStatus,
  createdAt: Instant,
  completedAt: Schema.NullOr(Instant),
  mismatches: Schema.Int,
  ...reasoned
})
export type Handover = typeof Handover.Type

/**
 * Work that others do: how often it was begun, how often it has failed, and when it is due. Without `dueAt` it is due at once. An attempt
 * that was begun and of which nothing was heard has not failed: perhaps nobody was asked.
 */
const external = {
  serial: Schema.Int,
  attempts: Schema.optionalKey(Schema.Int),
  failures: Schema.optionalKey(Schema.Int),
  dueAt: Schema.optionalKey(Instant)
}

/**
 * An effect that waits to be carried out outside the journey. `serial` makes each effect unique, and so each mail and each
 * submission. Mails leave the state with the next commit, which stores them for the postman (`../recordedEvent.ts`).
 */
export const PendingEffect = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("MAIL"),
    serial: Schema.Int,
    mail: JourneyMailKind,
    again: Schema.Boolean,
    /** The mail asks for a step that it was asked for before. */
    reminder: Schema.optionalKey(Reminder),
    /** A reminder's: the end of the customer's window, as it is when the reminder is due. */
    until: Schema.optionalKey(Instant),
    /** The mail leaves when the customer has left the page. */
    waits: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.Struct({ kind: Schema.Literal("CREATE_HANDOVER"), serial: Schema.Int }),
  Schema.Struct({ kind: Schema.Literal("SUBMIT_APPLICATION"), ...external }),
  Schema.Struct({ kind: Schema.Literal("START_IDENTITY_CHECK"), ...external }),
  Schema.Struct({ kind: Schema.Literal("CHECK_VIDEO"), ...external }),
  // The customer has withdrawn their consent. It is done even when the journey has ended meanwhile. `before`: what was given
  // from then on stays, because the customer was asked anew. Absent: everything goes.
  Schema.Struct({ kind: Schema.Literal("DELETE_BIOMETRICS"), ...external, before: Schema.optionalKey(Instant) }),
  // Only older journeys have it: now the commit that completes a journey marks its vehicle.
  Schema.Struct({ kind: Schema.Literal("MARK_VEHICLE_SOLD"), serial: Schema.Int })
])
export type PendingEffect = typeof PendingEffect.Type
/** Work that others do, in several attempts if need be. */
export type ExternalEffect = Extract<PendingEffect, { readonly attempts?: number }>
export type PendingMail = Extract<PendingEffect, { readonly kind: "MAIL" }>

/** The time that the customer has left (X1, X2). It runs only while the customer is awaited. */
export const Window = Schema.Struct({
  kind: Schema.Literals(["IDENTITY", "HANDOVER"]),
  remainingMillis: Schema.Finite,
  deadline: Schema.NullOr(Instant)
})
export type Window = typeof Window.Type

/** The reminders of the present ask: `past` names those that were sent, or that a later one has overtaken. */
const Reminders = Schema.Struct({ askedAt: Instant, past: Schema.Array(Reminder) })

/** What drives a test journey, copied from the company's switches at the start. Live journeys have null. */
export const Sandbox = Schema.Struct({
  scenario: Schema.NullOr(Scenario),
  /** The scenario's branch has been taken; from now on the journey follows the happy path. */
  scenarioSpent: Schema.Boolean,
  /** Null when the company advances its test journeys by hand. */
  stepMillis: Schema.NullOr(Schema.Finite),
  callerStepMillis: Schema.Finite,
  callerAwaitedSince: Schema.NullOr(Instant),
  tickAt: Schema.NullOr(Instant),
  /** Ordinary messages that a simulation or a step of the script stands for, and that are still to be taken. */
  planned: Schema.optionalKey(Schema.Array(JourneyMessage)),
  /** The test clock by which the journey runs, since its start. Absent: it runs by the real time. */
  clock: Schema.optionalKey(ClockId)
})
export type Sandbox = typeof Sandbox.Type

export const Journey = Schema.Struct({
  id: JourneyId,
  companyId: CompanyId,
  livemode: Schema.Boolean,
  customerReference: Schema.String,
  ...echoedFields,
  createdAt: Instant,
  shape: Shape,
  handoverType: HandoverType,
  inventoryVehicleId: Schema.NullOr(Schema.String),
  identityWindowDays: Schema.Int,
  handoverWindowDays: Schema.Int,
  status: JourneyStatus,
  financeDetails: Schema.NullOr(FinanceDetails),
  finance: Schema.NullOr(Finance),
  identity: Schema.NullOr(Identity),
  handover: Schema.NullOr(Handover),
  consents: Schema.optionalKey(Consents),
  window: Schema.NullOr(Window),
  reminders: Schema.optionalKey(Reminders),
  sandbox: Schema.NullOr(Sandbox),
  owed: Schema.Array(PendingEffect),
  owedCount: Schema.Int,
  eventCount: Schema.Int,
  lastEventAt: Instant
})
export type Journey = typeof Journey.Type

// Every read, and every journey that comes to memory, is decoded: compiled decoders cost a fifth, and refuse the same.
SchemaJITCompiler.enable(Journey.ast)
