/**
 * What a decision comes to: a step, a refusal, or nothing. Plain data; which step follows which message is in the
 * transition table.
 */
import type { EventType } from "../../../../schema/journey/events.ts"
import type { Assurance, SubmissionFailure, UnavailableReason } from "../../../../schema/journey/statuses.ts"
import type { ErrorCode } from "../../../../schema/problems.ts"
import type { Journey } from "./Journey.ts"

/** An event before it has its id, time and body. `reason` is a code of the catalogue, never free text (W15). */
export interface EventDraft {
  readonly type: EventType
  readonly reason?: SubmissionFailure | UnavailableReason
  /** What the verification rests on; identity.verified alone has it (D8). */
  readonly assurance?: Assurance
}

export interface Step {
  readonly _tag: "Step"
  readonly journey: Journey
  readonly events: ReadonlyArray<EventDraft>
}

/** The service says no to a caller; `code` is part of the contract. */
export interface Rejected {
  readonly _tag: "Rejected"
  readonly code: ErrorCode
  readonly message: string
}

/** A message that has no meaning here and now: it is late, repeated or out of order. Nothing changes. */
export interface Ignored {
  readonly _tag: "Ignored"
  readonly reason: string
}

export type Refusal = Rejected | Ignored
export type Outcome = Step | Refusal

export const rejected = (code: ErrorCode, message: string): Rejected => ({ _tag: "Rejected", code, message })
export const ignored = (reason: string): Ignored => ({ _tag: "Ignored", reason })

export const step = (journey: Journey, events: ReadonlyArray<EventDraft> = []): Step => ({
  _tag: "Step",
  journey,
  events
})
