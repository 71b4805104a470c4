/**
 * What the client package throws. A refusal of the service is an ApiError with the code to act on; the generated part of
 * the package has a class for each code of the contract. A code that is newer than the package is a plain ApiError.
 */
import type { ErrorCode } from "../../../schema/problems.ts"

/** A code of today, or one that is newer than the package. */
type AnyCode = ErrorCode | (string & {})

/** Every error of this package but those of the webhook verifier. An abort by the caller throws the caller's own reason. */
export class JourneysError extends Error {
  override name: string = "JourneysError"
}

/** One problem of a request. */
export interface ApiProblem {
  /** The path of the field at fault, such as `vehicle.registration`, or a general area such as `journey`. */
  readonly field: string
  readonly code: AnyCode
  /** For people; it never repeats what a body says. */
  readonly message: string
}

export interface RefusedRequest {
  readonly status: number
  /** Quote it when you ask about an answer. */
  readonly requestId: string | null
  /** Every problem that was found; the first decides the status and the code. */
  readonly problems: ReadonlyArray<ApiProblem>
  /** How long the service asks to wait. */
  readonly retryAfterSeconds: number | null
  /** The page of the code, with what to do. */
  readonly help: string | null
}

/** The service refused the request. */
export class ApiError extends JourneysError {
  readonly code: AnyCode
  readonly status: number
  readonly requestId: string | null
  readonly problems: ReadonlyArray<ApiProblem>
  readonly retryAfterSeconds: number | null
  readonly help: string | null

  constructor({ help, problems, requestId, retryAfterSeconds, status }: RefusedRequest) {
    const [first] = problems
    const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
    super(`${status} ${first?.code}: ${first?.field}: ${first?.message}${rest}`)
    this.name = new.target.name
    this.code = first?.code ?? ""
    this.status = status
    this.requestId = requestId
    this.problems = problems
    this.retryAfterSeconds = retryAfterSeconds
    this.help = help
  }
}

/** The service could not be reached, or the connection broke. `cause` says how. */
export class ConnectionError extends JourneysError {
  override name: string = "ConnectionError"
}

/** No whole answer came in time. */
export class TimeoutError extends JourneysError {
  override name: string = "TimeoutError"
}

/** What an answer that is not the service's says all the same. */
interface UnexpectedAnswer {
  readonly retryAfterSeconds?: number | null
  readonly redirectedTo?: string | null
}

/** What answered is not this service: a proxy in between, or another address. */
export class UnexpectedAnswerError extends JourneysError {
  override name: string = "UnexpectedAnswerError"
  readonly status: number
  readonly requestId: string | null
  /** How long what answered asks to wait. */
  readonly retryAfterSeconds: number | null
  /** The origin that a redirect leads to, such as `https://login.example.com`. No redirect is followed. */
  readonly redirectedTo: string | null

  constructor(
    status: number,
    requestId: string | null,
    { redirectedTo = null, retryAfterSeconds = null }: UnexpectedAnswer = {}
  ) {
    super(
      redirectedTo === null
        ? `An answer with status ${status} is not one of the Journeys API`
        : `A redirect with status ${status} leads to ${redirectedTo} and is not followed: is this the service's address?`
    )
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.redirectedTo = redirectedTo
  }
}
