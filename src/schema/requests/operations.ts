/**
 * The small request bodies of the operations on a journey: cancel (by a key or the team), cancel-handover, finance-decision and simulate. Only the form is judged
 * here; whether the journey allows the operation is decided by the journey's rules.
 */
import { Schema } from "effect"
import { simulatableEvents } from "../journey/events.ts"
import { Decision } from "../journey/statuses.ts"
import { lengthOfReason, ReasonText } from "../company/reasonText.ts"

export const CancelBody = Schema.Struct({
  reason: ReasonText.annotate({
    description: `${lengthOfReason}, kept for the team and never sent in an event`
  })
}).annotate({ identifier: "Cancel" })

export const CancelHandoverBody = Schema.Struct({
  reason: Schema.optionalKey(
    ReasonText.annotate({
      description: `${lengthOfReason}, kept sealed for the team and never sent in an event`
    })
  )
}).annotate({ identifier: "CancelHandover" })

export const FinanceDecisionBody = Schema.Struct({ decision: Decision }).annotate({ identifier: "FinanceDecision" })

export const SimulateBody = Schema.Struct({ event: Schema.Literals(simulatableEvents) }).annotate({
  identifier: "Simulate"
})
