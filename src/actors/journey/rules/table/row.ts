/**
 * What a row of the transition table is made of. Rows are data: they name guards and changes, which are pure functions
 * of `../state`, in the file of the region they belong to. How a row is run is in `../run.ts`.
 */
import type { EventType } from "../../../../schema/journey/events.ts"
import type {
  Decision,
  FinanceStatus,
  HandoverStatus,
  JourneyStatus,
  Shape
} from "../../../../schema/journey/statuses.ts"
import type { IdentityState } from "../../../../schema/journey/steps.ts"
import type { JourneyMailKind } from "../../../../schema/mail/mailKinds.ts"
import type { ConsentStep } from "../../../../schema/journey/consents.ts"
import type { Cause } from "../state/cause.ts"
import type { Handover, Journey, PendingEffect } from "../state/Journey.ts"

type WithDecision = "FinanceDecision" | "PanelDecision"

type WithStep = "ConsentGiven" | "ConsentRefused"

/** A message, as the table names it: a message with a decision or a step is named with its decision or its step. */
export type MessageTrigger =
  | Exclude<Cause["_tag"], WithDecision | WithStep>
  | `${WithDecision} ${Decision}`
  | `${WithStep} ${ConsentStep}`

/** A move that no message makes by itself: another row raises it. */
export type Move =
  | `begin ${Shape}`
  | `known decision ${Decision}`
  | "ask for identity"
  | "count as asked"
  | "gate opened"
  | "identity to the team"
  | "video to the team"
  | "cancel handover"
  | "expire handover"
  | "cancel journey"
  | "complete journey"

export type Trigger = MessageTrigger | Move

/** How a row names the move that it raises. "begin" and "known decision" are completed with what the start said. */
export type Raised = Exclude<Move, `begin ${string}` | `known decision ${string}`> | "begin" | "known decision"

/** Whether a row fits; the name of the function is shown in the tables of the documents. */
export type Guard = (journey: Journey, cause: Cause) => boolean

/** Work that waits to be done, other than mail. */
export type WorkKind = Exclude<PendingEffect["kind"], "MAIL">

interface RowOf<Region extends string, Status extends string> {
  readonly region: Region
  /** NONE: the region does not exist yet. */
  readonly from: ReadonlyArray<Status | "NONE">
  readonly on: ReadonlyArray<Trigger>
  /** All of these must hold. Of several rows that fit, the first one is taken. */
  readonly when?: ReadonlyArray<Guard>
  /** Moves that come before this one: their events are told first. */
  readonly before?: ReadonlyArray<Raised>
  /** Without it the status stays. */
  readonly to?: Status
  readonly events?: ReadonlyArray<EventType>
  readonly mails?: ReadonlyArray<JourneyMailKind>
  /** The mails are worded for a step that the customer has tried before. */
  readonly again?: true
  /** Work that now waits to be done. Work that others do is for live journeys only. */
  readonly effects?: ReadonlyArray<WorkKind>
  /** Work that is done, or that no longer matters. */
  readonly effectsOver?: ReadonlyArray<WorkKind>
  /** Moves that this one raises. */
  readonly after?: ReadonlyArray<Raised>
}

export type FinanceRow = RowOf<"finance", FinanceStatus>
export type IdentityRow = RowOf<"identity", IdentityState>
/** `change`: what changes in the handover besides its status. */
export type HandoverRow = RowOf<"handover", HandoverStatus> & { readonly change?: (handover: Handover) => Handover }
export type JourneyRow = RowOf<"journey", JourneyStatus>

export type Row = FinanceRow | IdentityRow | HandoverRow | JourneyRow
export type Region = Row["region"]
