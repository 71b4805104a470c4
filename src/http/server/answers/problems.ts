/**
 * The failures of a request, and the answers that they become. Only this file turns an error code into an HTTP status.
 * Which codes exist, and the status of each, is said in the catalogue `schema/problems.ts`.
 */
import { Data, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonLimits } from "../../../schema/decoding/limits.ts"
import { errorCatalogue, type ErrorCode, type FieldError } from "../../../schema/problems.ts"
import { httpLimits } from "../limits.ts"

type Headers = Readonly<Record<string, string>>

/** A request that fails. It has at least one error, and the first error decides the status (§2.1). */
export class Problem extends Data.TaggedError("Problem")<{
  readonly errors: readonly [FieldError, ...ReadonlyArray<FieldError>]
  /** How many problems were found, where there are more than `errors` lists. */
  readonly found?: number
  readonly headers?: Headers
}> {}

export const problem = (
  code: ErrorCode,
  field: string,
  message: string = errorCatalogue[code].meaning,
  headers?: Headers
): Problem => new Problem({ errors: [{ field, code, message }], ...(headers === undefined ? {} : { headers }) })

/** Several problems of one request; `all` has at least one. A request can be wrong in thousands of places: some are listed. */
export const problems = (all: ReadonlyArray<FieldError>): Problem => {
  const [first, ...rest] = all.slice(0, httpLimits.mostProblemsListed)
  if (first === undefined) return problem("INTERNAL_ERROR", "service")
  const errors = [first, ...rest] as const
  return new Problem({ errors, ...(all.length > errors.length ? { found: all.length } : {}) })
}

/** Retry after a moment with the same Idempotency-Key; nothing was created. */
export const unavailable = (): Problem =>
  problem("TEMPORARILY_UNAVAILABLE", "service", undefined, { "retry-after": "1" })

/** The schemas stop looking once they have found that many. */
const inAll = (found: number): string => (found < jsonLimits.mostProblems ? `${found}` : `${found} or more`)

/** The failure envelope of §2.1 as text; the parser's own errors are answered with it too. */
export const failureEnvelope = ({ errors, found }: Pick<Problem, "errors" | "found">): string => {
  const [{ message }] = errors
  const shown = found === undefined ? message : `${message} (${errors.length} of ${inAll(found)} problems are listed)`
  return JSON.stringify({ success: false, data: null, message: shown, errors })
}

export const statusOf = (code: ErrorCode): number => errorCatalogue[code].status

/** The page of a code: when it comes, an example, and what to do. */
export const errorPagePath = (code: ErrorCode): `/${string}` => `/docs/errors/${code}`

/** The answer leads to the page of its code (RFC 8288). */
export const problemResponse = (failure: Problem): HttpServerResponse.HttpServerResponse => {
  const [{ code }] = failure.errors
  const link = `<${errorPagePath(code)}>; rel="help"`
  return json(statusOf(code), failureEnvelope(failure), { ...failure.headers, link })
}

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

/** Text goes out together with its headers, in one write, and nobody waits for its end. */
const json = (status: number, text: string, headers?: Headers): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { status, contentType: "application/json", ...(headers && { headers }) })

/** A decoded value, or the problems found in it as the request's failure. */
export const orProblems = <A>(
  decoded:
    | { readonly _tag: "Success"; readonly success: A }
    | { readonly _tag: "Failure"; readonly failure: ReadonlyArray<FieldError> | FieldError }
): Effect.Effect<A, Problem> =>
  decoded._tag === "Success"
    ? Effect.succeed(decoded.success)
    : Effect.fail(problems("code" in decoded.failure ? [decoded.failure] : decoded.failure))
