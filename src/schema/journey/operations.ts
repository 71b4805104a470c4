/**
 * The small request bodies of the operations on a journey that exists: cancel, finance-decision and simulate. They are
 * judged by form only; whether the journey allows the operation is the journey's to say.
 */
import { Schema } from "effect"
import { simulatableEvents } from "./events.ts"
import { multilineText } from "../start/text.ts"
import { Decision } from "./statuses.ts"

/** V22: counted after trimming. A reason is free text for the team, so it may have lines. */
export const CancelBody = Schema.Struct({
  reason: multilineText(500, 10).annotate({
    description: "10 to 500 characters, kept for the team and never sent in an event"
  })
}).annotate({ identifier: "Cancel" })

export const FinanceDecisionBody = Schema.Struct({ decision: Decision }).annotate({ identifier: "FinanceDecision" })

export const SimulateBody = Schema.Struct({ event: Schema.Literals(simulatableEvents) }).annotate({
  identifier: "Simulate"
})
