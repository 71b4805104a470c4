/**
 * Refusals for the tests of a caller: an answer with any error code, as the service gives it. What each code says is generated from
 * the catalogue of codes. Needs no service.
 */

/** What the service says with a code unless the test says something else. */
export interface UsualProblem {
  readonly status: number
  readonly field: string
  readonly message: string
}

/** One problem of a refused request. Field and message are those that the code usually comes with, unless given. */
export interface RefusedProblem<Code extends string> {
  readonly code: Code
  readonly field?: string | undefined
  readonly message?: string | undefined
}

export interface RefusalWishes {
  /** What Retry-After says. Unless given, 0 of a 429 and a 503, so that no test waits, and nothing of any other. */
  readonly retryAfterSeconds?: number | undefined
}

/** A code, or every problem of the request: the first decides the status, as in the service. */
export type Refused<Code extends string> =
  | Code
  | readonly [RefusedProblem<Code>, ...ReadonlyArray<RefusedProblem<Code>>]

export const refusalFrom = <Code extends string>(
  usual: Readonly<Record<Code, UsualProblem>>,
  refused: Refused<Code>,
  { retryAfterSeconds }: RefusalWishes = {}
): Response => {
  const [first, ...others] = typeof refused === "string" ? ([{ code: refused }] as const) : refused
  const problemOf = ({ code, field = usual[code].field, message = usual[code].message }: RefusedProblem<Code>) => ({
    field,
    code,
    message
  })
  const { status } = usual[first.code]
  const seconds = retryAfterSeconds ?? (status === 429 || status === 503 ? 0 : undefined)
  const decisive = problemOf(first)
  const { message } = decisive
  const errors = [decisive, ...others.map(problemOf)]
  return new Response(JSON.stringify({ success: false, data: null, message, errors }), {
    status,
    headers: {
      "content-type": "application/json",
      "request-id": "00000000-0000-7000-8000-000000000000",
      link: `</docs/errors/${first.code}>; rel="help"`,
      ...(seconds === undefined ? {} : { "retry-after": String(seconds) })
    }
  })
}
