/**
 * What an answer says: the data, a refusal of the service, or that something else answered, such as a proxy before the service.
 * It also says whether the request may be repeated; how long to wait until then is the Transport's.
 */
import { ApiError, UnexpectedAnswerError, type ApiProblem, type JourneysError, type RefusedRequest } from "./errors.ts"

/** What an answer says beside its data. */
export interface AnswerDetails {
  readonly status: number
  readonly requestId: string | null
  /** A start with this Idempotency-Key had been accepted before. */
  readonly isReplay: boolean
  /** How often the request was sent. */
  readonly attempts: number
  readonly headers: Headers
}

/** The class of a code, or undefined for a code that is newer than the package. */
export type ErrorClassOf = (code: string) => (new (refusal: RefusedRequest) => ApiError) | undefined

/** `isRefused`: nothing was done. `isPassing`: what was done is unknown, and another attempt may go better. */
export interface Failed {
  readonly error: JourneysError
  readonly isRefused: boolean
  readonly isPassing: boolean
}

export type Tried = { readonly data: unknown; readonly details: Omit<AnswerDetails, "attempts"> } | Failed

export interface AnswerReader {
  readonly baseUrl: string
  readonly errorClassOf: ErrorClassOf
}

const refusingStatuses: ReadonlySet<number> = new Set([429, 503])
const passingStatuses: ReadonlySet<number> = new Set([408, 500, 502, 504])

/** A page of a proxy is no file, nor is an answer that says why there is none. */
export const isAnsweredWithFile = ({ headers, ok }: Response): boolean =>
  ok && /^(?:image|video)\//.test(headers.get("content-type") ?? "")

export const answeredWith = ({ headers, status }: Response, data: unknown): Tried => {
  const isReplay = headers.get("idempotent-replayed") === "true"
  return { data, details: { status, requestId: headers.get("request-id"), isReplay, headers } }
}

export const triedWith = (response: Response, text: string, reader: AnswerReader): Tried => {
  const envelope = envelopeIn(text)
  if (envelope?.success === true) return answeredWith(response, envelope.data)
  const { headers, status } = response
  const requestId = headers.get("request-id")
  const problems = problemsIn(envelope)
  const [first] = problems
  if (first === undefined) return unexpected(status, headers, reader.baseUrl)
  const ErrorClass = reader.errorClassOf(first.code) ?? ApiError
  const error = new ErrorClass({
    status,
    requestId,
    problems,
    retryAfterSeconds: secondsIn(headers),
    help: helpIn(headers.get("link"), reader.baseUrl)
  })
  return { error, isRefused: refusingStatuses.has(status), isPassing: passingStatuses.has(status) }
}

/** Not an answer of the service. That nothing was done is believed of who says when to come again. */
const unexpected = (status: number, headers: Headers, baseUrl: string): Failed => {
  const retryAfterSeconds = secondsIn(headers)
  const redirectedTo = status >= 300 && status < 400 ? originIn(headers.get("location"), baseUrl) : null
  const isRefusal = refusingStatuses.has(status)
  return {
    error: new UnexpectedAnswerError(status, headers.get("request-id"), { retryAfterSeconds, redirectedTo }),
    isRefused: isRefusal && retryAfterSeconds !== null,
    isPassing: isRefusal || passingStatuses.has(status) || status < 300 || status >= 500
  }
}

interface Envelope {
  readonly success?: unknown
  readonly data?: unknown
  readonly errors?: unknown
}

const envelopeIn = (text: string): Envelope | null => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === "object" && parsed !== null ? parsed : null
  } catch {
    return null
  }
}

const isProblem = (one: unknown): one is ApiProblem =>
  typeof one === "object" && one !== null && ["field", "code", "message"].every((name) => name in one)

/** None when they have another form: then they are those of another service. */
const problemsIn = (envelope: Envelope | null): ReadonlyArray<ApiProblem> => {
  const errors: ReadonlyArray<unknown> = Array.isArray(envelope?.errors) ? envelope.errors : []
  return errors.every(isProblem) ? errors : []
}

/** What Retry-After asks for. A proxy may give a date: it is read by the clock of the answer, not by that of this machine. */
const secondsIn = (headers: Headers): number | null => {
  const text = headers.get("retry-after") ?? ""
  if (/^\d+$/.test(text)) return Number(text)
  const seconds = (dateIn(text) - dateIn(headers.get("date") ?? "")) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

const dateIn = (text: string): number => (text.endsWith(" GMT") ? Date.parse(text) : Number.NaN)

/** The address in a Link header; the service gives a path. */
const helpIn = (link: string | null, baseUrl: string): string | null => {
  const path = /<([^>]+)>; rel="help"/.exec(link ?? "")?.[1]
  return path !== undefined && URL.canParse(path, baseUrl) ? new URL(path, baseUrl).href : null
}

/** Where a Location leads, without what may be secret in it. */
const originIn = (location: string | null, baseUrl: string): string | null => {
  if (location === null) return null
  const { origin, protocol } = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : new URL("about:blank")
  return protocol === "http:" || protocol === "https:" ? origin : "another address"
}
