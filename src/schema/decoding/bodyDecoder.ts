/**
 * How every closed JSON body of the API is read from its schema: text is brought into form first, then all problems are
 * told at once, each as one entry of the answer's `errors`. Rules that a schema cannot say (rules across fields, and
 * rules that depend on the time or on a setting) are an annotation of the schema. The body of a start has its own decoder.
 */
import { Result, Schema, SchemaAST } from "effect"
import { jsonLimits } from "./limits.ts"
import type { ErrorCode, FieldError } from "../problems.ts"
import { normaliserOf } from "./normalise.ts"
import { problemsOf } from "./bodyProblems.ts"
import { isRecord } from "./record.ts"

/** What a rule may depend on beside the body. */
export interface RequestFacts {
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether plain http is allowed for providers, and any address for webhook endpoints: in development only. */
  readonly allowInsecure: boolean
}

/** Finds what is wrong with a body beyond its schema. The body has not passed its schema yet. */
export type BrokenRules = (body: unknown, facts: RequestFacts) => ReadonlyArray<FieldError>

/** The annotation of a body's schema that holds its `BrokenRules`. */
export const beyondForm = "journeys/schema/beyondForm"

/** `rule` is the rest of a sentence that begins with the field. */
export const invalid = (field: string, rule: string, code: ErrorCode = "VALIDATION_FAILED"): FieldError => ({
  field,
  code,
  message: `${field} ${rule}`
})

/** The options with which requests are decoded: closed objects, every problem, and the refused value for its type. */
export const strictly = { errors: "all", onExcessProperty: "error", reportInput: true } as const

export const bodyDecoder = <A>(
  schema: Schema.ConstraintDecoder<A>,
  { isChange = false } = {}
): ((body: unknown, facts: RequestFacts) => Result.Result<A, ReadonlyArray<FieldError>>) => {
  const brokenRules = rulesOf(schema)
  const normalise = normaliserOf(schema, { isChange })
  const decode = Schema.decodeUnknownResult(schema, strictly)
  return (body, facts) => {
    if (!isRecord(body)) return Result.fail([invalid("body", "must be a JSON object")])
    const inForm = normalise(body)
    const decoded = Result.mapError(decode(inForm), ({ issue }) =>
      problemsOf(issue, body).map(({ field, rule }) => invalid(field, rule))
    )
    const malformed = Result.isFailure(decoded) ? decoded.failure : []
    const broken = brokenRules(inForm, facts).filter(({ field }) => malformed.every((other) => other.field !== field))
    return broken.length === 0 && Result.isSuccess(decoded)
      ? decoded
      : Result.fail([...malformed, ...broken].slice(0, jsonLimits.mostProblems))
  }
}

const rulesOf = (schema: Schema.Constraint): BrokenRules =>
  SchemaAST.resolveAt<BrokenRules>(beyondForm)(schema.ast) ?? (() => [])
