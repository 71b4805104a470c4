/**
 * Why the state of a journey changes: a message that the transition table lists, or the start. What each of them moves is in
 * the rows of the table.
 */
import type { CheckPossible, JourneyMessage } from "../../../../schema/journey/messages.ts"
import type { Decision, Shape } from "../../../../schema/journey/statuses.ts"

/** The start of a journey, as a message to itself. `decision`: what the lender is known to have decided already. */
export interface Start {
  readonly _tag: "Start"
  readonly shape: Shape
  readonly decision: Decision | null
  readonly check: CheckPossible
  readonly isNewCustomer: boolean
}

/** Messages that `decide.ts` handles itself: the sandbox's three, reminders, and the book-keeping of pending effects. */
export type UnlistedTag =
  | "Simulate"
  | "SandboxTick"
  | "SandboxHeld"
  | "OwedBegun"
  | "OwedDone"
  | "OwedFailed"
  | "CustomerReminded"

export type ListedMessage = Exclude<JourneyMessage, { readonly _tag: UnlistedTag }>

/** Why a row is run. Guards and changes may read what the message says. */
export type Cause = ListedMessage | Start
