/**
 * The vocabulary of a decision: a step is a journey and the events that led to it, and steps are built by adding to
 * them. Everything here is plain data; `decide.ts` says which step follows which message.
 */
import type { ErrorCode } from "../../../schema/problems.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { SubmissionFailure, UnavailableReason } from "../../../schema/journey/statuses.ts"
import type { JourneyMailKind } from "../../../schema/mail/mailKinds.ts"
import type { Journey, Owed } from "./Journey.ts"

/** An event before it has its id, time and body. `reason` is a code of the catalogue, never free text (W15). */
export interface EventDraft {
  readonly type: EventType
  readonly reason?: SubmissionFailure | UnavailableReason
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

/** A message that has no meaning here and now: late, doubled or out of order. Nothing changes. */
export interface Ignored {
  readonly _tag: "Ignored"
  readonly reason: string
}

export type Outcome = Step | Rejected | Ignored

export const rejected = (code: ErrorCode, message: string): Rejected => ({ _tag: "Rejected", code, message })
export const ignored = (reason: string): Ignored => ({ _tag: "Ignored", reason })

export const step = (journey: Journey, ...events: ReadonlyArray<EventDraft>): Step => ({
  _tag: "Step",
  journey,
  events
})

/** The step with some of its journey replaced, and more events after those it has. */
export const andThen = (before: Step, change: Partial<Journey>, ...events: ReadonlyArray<EventDraft>): Step =>
  step({ ...before.journey, ...change }, ...before.events, ...events)

type Debt = Owed extends infer One ? (One extends Owed ? Omit<One, "serial" | "attempts" | "dueAt"> : never) : never

/** Adds work that the journey owes the outside world. */
export const owe = (before: Step, debt: Debt): Step => {
  const serial = before.journey.owedCount + 1
  return andThen(before, { owed: [...before.journey.owed, { ...debt, serial }], owedCount: serial })
}

/** Adds a mail; `again` is the wording for a second try of the same step. */
export const oweMail = (before: Step, mail: JourneyMailKind, again = false): Step =>
  owe(before, { kind: "MAIL", mail, again })

/** Strikes off what is owed of one kind: it has been done, or it no longer matters. */
export const settle = (before: Step, kind: Owed["kind"]): Step =>
  andThen(before, { owed: before.journey.owed.filter((one) => one.kind !== kind) })

/** Strikes off one debt. */
export const settleOne = (before: Step, serial: number): Step =>
  andThen(before, { owed: before.journey.owed.filter((one) => one.serial !== serial) })
