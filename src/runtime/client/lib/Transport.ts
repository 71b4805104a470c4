/**
 * One request of the client package, repeated until it is answered or given up. A request is repeated after a failure of
 * the network only if repeating is safe: it reads, it replaces, or it has an Idempotency-Key, which stays the same. After
 * 429 and 503 nothing was done, so every request is repeated, when Retry-After says. It knows no operation.
 */
import {
  ApiError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
  type ApiProblem,
  type JourneysError,
  type RefusedRequest
} from "./errors.ts"
import { clientLimits } from "./limits.ts"

export interface ClientOptions {
  /** Where the service is, such as `https://journeys.example.com`. */
  readonly baseUrl: string
  /** An API key, `svc_test_...` or `svc_live_...`. Keep it on your server. */
  readonly apiKey: string
  /** Milliseconds that one attempt may take; 30,000 unless given. */
  readonly timeoutMillis?: number | undefined
  /** Attempts after the first; 5 unless given, 0 for none. */
  readonly retries?: number | undefined
  /** Another `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
}

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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Instead of the client's own. */
  readonly timeoutMillis?: number | undefined
  /** Instead of the client's own. */
  readonly retries?: number | undefined
  /** Hears what the answer says beside its data. */
  readonly onAnswer?: ((answer: AnswerDetails) => void) | undefined
}

/** Of an operation that takes an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
  /** 8 to 255 letters, digits or . _ : - ; made by chance unless given, and kept over retries of this call. */
  readonly idempotencyKey?: string | undefined
}

/** A request as an operation of the contract wants it. */
export interface AskedRequest {
  readonly method: string
  readonly path: string
  readonly query?: object
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** Sent as a form when the body has the file: the names of the JSON part and of the file. */
  readonly form?: { readonly json: string; readonly file: string }
  readonly isKeyed?: boolean
}

/** The class of a code, or undefined for a code that is newer than the package. */
export type ErrorClassOf = (code: string) => (new (refusal: RefusedRequest) => ApiError) | undefined

type Tried =
  | { readonly data: unknown }
  | { readonly error: JourneysError; readonly isRefused: boolean; readonly isPassing: boolean }

const header = "idempotency-key"
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"])
const passingStatuses: ReadonlySet<number> = new Set([408, 500, 502, 504])

const judgeOptions = ({ apiKey, baseUrl }: ClientOptions): void => {
  if (!/^https?:\/\/\S+$/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError("baseUrl is the address of the service, such as https://journeys.example.com")
  }
  if (!/^svc_\S+$/.test(apiKey)) {
    throw new TypeError("apiKey is the text of an API key, svc_test_... or svc_live_..., without white space")
  }
}

export class Transport {
  readonly #options: ClientOptions
  readonly #errorClassOf: ErrorClassOf

  /** Throws a TypeError for options with which no request could succeed. */
  constructor(options: ClientOptions, errorClassOf: ErrorClassOf) {
    judgeOptions(options)
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") }
    this.#errorClassOf = errorClassOf
  }

  /** The data of the answer. The types of the contract say what it is; it is not checked again here. */
  async call<Data>(asked: AskedRequest, options: KeyedCallOptions): Promise<Data> {
    const key = asked.isKeyed === true ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const isSafe = safeMethods.has(asked.method) || key !== undefined
    const retries = options.retries ?? this.#options.retries ?? clientLimits.mostRetries
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(asked, key, options, attempt)
      if ("data" in tried) return tried.data as Data
      const isRepeatable = tried.isRefused || (isSafe && tried.isPassing)
      const pause = isRepeatable && attempt <= retries ? pauseAfter(tried.error, attempt) : null
      if (pause === null) throw tried.error
      await sleep(pause, options.signal)
    }
  }

  async #try(asked: AskedRequest, key: string | undefined, options: CallOptions, attempts: number): Promise<Tried> {
    const { signal } = options
    signal?.throwIfAborted()
    const millis = options.timeoutMillis ?? this.#options.timeoutMillis ?? clientLimits.timeoutMillis
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), millis)
    const abort = () => ending.abort()
    signal?.addEventListener("abort", abort)
    try {
      const response = await (this.#options.fetch ?? fetch)(this.#urlOf(asked), {
        method: asked.method,
        ...this.#contentOf(asked, key),
        redirect: "error",
        signal: ending.signal
      })
      return this.#read(response, await response.text(), options, attempts)
    } catch (cause) {
      signal?.throwIfAborted()
      const error = ending.signal.aborted
        ? new TimeoutError(`No answer within ${millis} ms`, { cause })
        : new ConnectionError(`${this.#options.baseUrl} could not be reached`, { cause })
      return { error, isRefused: false, isPassing: true }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
    }
  }

  #urlOf({ path, query = {} }: AskedRequest): string {
    const url = new URL(this.#options.baseUrl + path)
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
      }
    }
    return url.href
  }

  #contentOf({ body, form, headers = {} }: AskedRequest, key: string | undefined) {
    const given = Object.entries({ ...headers, [header]: key }).filter(([, value]) => value !== undefined)
    const all = {
      authorization: `Bearer ${this.#options.apiKey}`,
      ...(Object.fromEntries(given) as Record<string, string>)
    }
    if (body === undefined) return { headers: all }
    const parts = body as Readonly<Record<string, unknown>>
    const file = form === undefined ? undefined : parts[form.file]
    if (form === undefined || !(file instanceof Blob)) {
      return { headers: { ...all, "content-type": "application/json" }, body: JSON.stringify(body) }
    }
    const content = new FormData()
    content.set(form.json, new Blob([JSON.stringify(parts[form.json])], { type: "application/json" }))
    content.set(form.file, file, "photo")
    return { headers: all, body: content }
  }

  #read(response: Response, text: string, options: CallOptions, attempts: number): Tried {
    const { headers, status } = response
    const requestId = headers.get("request-id")
    const envelope = envelopeIn(text)
    if (envelope?.success === true) {
      const isReplay = headers.get("idempotent-replayed") === "true"
      options.onAnswer?.({ status, requestId, isReplay, attempts, headers })
      return { data: envelope.data }
    }
    const isPassing = passingStatuses.has(status)
    const problems = envelope?.errors ?? []
    const [first] = problems
    if (first === undefined) {
      return { error: new UnexpectedAnswerError(status, requestId), isRefused: false, isPassing: status >= 500 }
    }
    const ErrorClass = this.#errorClassOf(first.code) ?? ApiError
    const error = new ErrorClass({
      status,
      requestId,
      problems,
      retryAfterSeconds: secondsIn(headers.get("retry-after")),
      help: helpIn(headers.get("link"), this.#options.baseUrl)
    })
    return { error, isRefused: status === 429 || status === 503, isPassing }
  }
}

interface Envelope {
  readonly success?: unknown
  readonly data?: unknown
  readonly errors?: ReadonlyArray<ApiProblem> | null
}

const envelopeIn = (text: string): Envelope | null => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === "object" && parsed !== null ? parsed : null
  } catch {
    return null
  }
}

const secondsIn = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null

/** The address in a Link header; the service gives a path. */
const helpIn = (link: string | null, baseUrl: string): string | null => {
  const path = /<([^>]+)>; rel="help"/.exec(link ?? "")?.[1]
  return path !== undefined && URL.canParse(path, baseUrl) ? new URL(path, baseUrl).href : null
}

/** Null when the service asks for more patience than this package has. */
const pauseAfter = (error: JourneysError, attempt: number): number | null => {
  const { longestPauseMillis, longestRetryAfterMillis, shortestPauseMillis } = clientLimits
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null
  if (asked !== null) return asked * 1000 > longestRetryAfterMillis ? null : asked * 1000
  const whole = Math.min(longestPauseMillis, shortestPauseMillis * 2 ** (attempt - 1))
  // Between half and all of it, so that callers who were refused together do not come back together.
  const chance = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  return whole / 2 + (whole / 2) * (chance / 2 ** 32)
}

/** Ends early, with the caller's reason, when the caller aborts. */
export const sleep = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, millis)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })
