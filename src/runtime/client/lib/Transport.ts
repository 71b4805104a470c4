/**
 * One request of the client package, repeated until it is answered or given up. A request is repeated after a failure of
 * the network only if repeating is safe: it reads, it replaces, or it has an Idempotency-Key, which stays the same. After
 * 429 and 503 nothing was done, so every request is repeated, when Retry-After says. It knows no operation.
 */
import {
  answeredWith,
  isAnsweredWithFile,
  triedWith,
  type AnswerReader,
  type ErrorClassOf,
  type Tried
} from "./answers.ts"
import { ApiError, ConnectionError, TimeoutError, UnexpectedAnswerError, type JourneysError } from "./errors.ts"
import { clientLimits } from "./limits.ts"
import { judgeOptions, judgeTimeout, tokenOf, type KeyedCallOptions, type TransportOptions } from "./options.ts"
import { requestOf, type AskedRequest, type ReadyRequest } from "./request.ts"

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"])

export class Transport {
  readonly #options: TransportOptions
  readonly #reader: AnswerReader

  /** Throws a TypeError for options with which no request could succeed. */
  constructor(options: TransportOptions, errorClassOf: ErrorClassOf) {
    judgeOptions(options)
    const baseUrl = options.baseUrl.replace(/\/+$/, "")
    this.#options = { ...options, baseUrl }
    this.#reader = { baseUrl, errorClassOf }
  }

  /** The data of the answer. The types of the contract say what it is; it is not checked again here. */
  async call<Data>(asked: AskedRequest, options: KeyedCallOptions): Promise<Data> {
    judgeTimeout(options.timeoutMillis)
    const millis = options.timeoutMillis ?? this.#options.timeoutMillis ?? clientLimits.timeoutMillis
    const retries = options.retries ?? this.#options.retries ?? clientLimits.mostRetries
    const key = asked.isKeyed === true ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const isSafe = safeMethods.has(asked.method) || key !== undefined
    const { baseUrl } = this.#reader
    const request = requestOf(asked, key, { baseUrl, token: tokenOf(this.#options) })
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(request, millis, options.signal)
      if ("data" in tried) {
        options.onAnswer?.({ ...tried.details, attempts: attempt })
        return tried.data as Data
      }
      const isRepeatable = tried.isRefused || (isSafe && tried.isPassing)
      const pause = isRepeatable && attempt <= retries ? pauseAfter(tried.error, attempt) : null
      if (pause === null) throw tried.error
      await sleep(pause, options.signal)
    }
  }

  async #try({ init, isFile, url }: ReadyRequest, millis: number, signal: AbortSignal | undefined): Promise<Tried> {
    signal?.throwIfAborted()
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), millis)
    const abort = () => ending.abort()
    signal?.addEventListener("abort", abort)
    try {
      const ask = this.#options.fetch ?? fetch
      const response = await ask(url, { ...init, redirect: "manual", signal: ending.signal })
      if (isFile && isAnsweredWithFile(response)) return answeredWith(response, await response.blob())
      return triedWith(response, await response.text(), this.#reader)
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
}

/** Null when the service asks for more patience than this package has. */
const pauseAfter = (error: JourneysError, attempt: number): number | null => {
  const { longestPauseMillis, longestRetryAfterMillis, shortestPauseMillis } = clientLimits
  const isAnswer = error instanceof ApiError || error instanceof UnexpectedAnswerError
  const asked = isAnswer ? error.retryAfterSeconds : null
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
