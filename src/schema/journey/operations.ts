/**
 * The small request bodies of the operations on a journey that exists: cancel, finance-decision and simulate. They are
 * judged by form only; whether the journey allows the operation is the journey's to say.
 */
import { Result, Schema } from "effect"
import type { FieldError } from "../problems.ts"
import { simulatableEvents } from "./events.ts"
import { normaliserOf } from "../start/normalise.ts"
import { problemsOf } from "../start/problems.ts"
import { isRecord } from "../start/record.ts"
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

/** How the small bodies are read: closed, every problem told at once. */
export const decoderOf = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const normalise = normaliserOf(schema)
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error", reportInput: true })
  return (body: unknown): Result.Result<A, ReadonlyArray<FieldError>> =>
    isRecord(body)
      ? Result.mapError(decode(normalise(body)), ({ issue }) => problemsOf(issue).map(fieldErrorOf))
      : Result.fail([{ field: "body", code: "VALIDATION_FAILED", message: "body must be a JSON object" }])
}

const fieldErrorOf = ({ field, rule }: { readonly field: string; readonly rule: string }): FieldError => ({
  field,
  code: "VALIDATION_FAILED",
  message: `${field} ${rule}`
})

export const decodeCancel = decoderOf(CancelBody)
export const decodeFinanceDecision = decoderOf(FinanceDecisionBody)
export const decodeSimulate = decoderOf(SimulateBody)
