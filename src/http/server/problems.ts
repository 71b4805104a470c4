/**
 * The failures of a request, and the answers that they become. Only this file turns an error code into an HTTP status.
 * Which codes exist, and the status of each, is said in the catalogue `schema/problems.ts`.
 */
import { Data, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorCatalogue, type ErrorCode, type FieldError } from "../../schema/problems.ts"

type Headers = Readonly<Record<string, string>>

/** A request that fails. It has at least one error, and the first error decides the status (§2.1). */
export class Problem extends Data.TaggedError("Problem")<{
  readonly errors: readonly [FieldError, ...ReadonlyArray<FieldError>]
  readonly headers?: Headers
}> {}

export const problem = (
  code: ErrorCode,
  field: string,
  message: string = errorCatalogue[code].meaning,
  headers?: Headers
): Problem => new Problem({ errors: [{ field, code, message }], ...(headers === undefined ? {} : { headers }) })

/** Several problems of one request; `errors` has at least one. */
export const problems = (errors: ReadonlyArray<FieldError>): Problem => {
  const [first, ...rest] = errors
  return first === undefined ? problem("INTERNAL_ERROR", "service") : new Problem({ errors: [first, ...rest] })
}

/** Retry after a moment with the same Idempotency-Key; nothing was created. */
export const unavailable = (): Problem =>
  problem("TEMPORARILY_UNAVAILABLE", "service", undefined, { "retry-after": "1" })

/** The failure envelope of §2.1 as text; the parser's own errors are answered with it too. */
export const failureEnvelope = (errors: Problem["errors"]): string =>
  JSON.stringify({ success: false, data: null, message: errors[0].message, errors })

export const statusOf = (code: ErrorCode): number => errorCatalogue[code].status

export const problemResponse = (failure: Problem): HttpServerResponse.HttpServerResponse =>
  json(statusOf(failure.errors[0].code), failureEnvelope(failure.errors), failure.headers)

/** The success envelope of §2.1. */
export const success = (
  status: number,
  data: unknown,
  message: string,
  headers?: Headers
): HttpServerResponse.HttpServerResponse => successText(status, JSON.stringify(data), message, headers)

/** The same around data that is JSON text already: its bytes stay as they are. */
export const successText = (
  status: number,
  data: string,
  message: string,
  headers?: Headers
): HttpServerResponse.HttpServerResponse =>
  json(status, `{"success":true,"data":${data},"message":${JSON.stringify(message)},"errors":null}`, headers)

/** A string goes out together with its headers, in one write. */
const json = (status: number, text: string, headers?: Headers): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(text, {
    status,
    headers: { ...headers, "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }
  })

/** A decoded value, or the problems found in it as the request's failure. */
export const orProblems = <A>(
  decoded:
    | { readonly _tag: "Success"; readonly success: A }
    | { readonly _tag: "Failure"; readonly failure: ReadonlyArray<FieldError> | FieldError }
): Effect.Effect<A, Problem> =>
  decoded._tag === "Success"
    ? Effect.succeed(decoded.success)
    : Effect.fail(problems("code" in decoded.failure ? [decoded.failure] : decoded.failure))
