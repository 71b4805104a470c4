/**
 * The small request bodies of the operations on a journey: cancel (by a key or the team), cancel-handover, finance-decision and simulate. Only the form is judged
 * here; whether the journey allows the operation is decided by the journey's rules.
 */
import { Schema } from "effect"
import { simulatableEvents } from "../journey/events.ts"
import { multilineText } from "../decoding/text.ts"
import { Decision } from "../journey/statuses.ts"

/** The length counts after trimming (V22). A reason is free text for the team, so it may have several lines. */
export const CancelBody = Schema.Struct({
  reason: multilineText(500, 10).annotate({
    description: "10 to 500 characters, kept for the team and never sent in an event"
  })
}).annotate({ identifier: "Cancel" })

export const CancelHandoverBody = Schema.Struct({
  reason: Schema.optionalKey(
    multilineText(500, 10).annotate({
      description: "10 to 500 characters, kept sealed for the team and never sent in an event"
    })
  )
}).annotate({ identifier: "CancelHandover" })

export const FinanceDecisionBody = Schema.Struct({ decision: Decision }).annotate({ identifier: "FinanceDecision" })

export const SimulateBody = Schema.Struct({ event: Schema.Literals(simulatableEvents) }).annotate({
  identifier: "Simulate"
})
