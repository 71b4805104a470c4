/**
 * What a client is made with and what a call may say beside its request. A mistake in it is a TypeError before anything is
 * sent: a request with it could only look like a failure of the network.
 */
import type { AnswerDetails } from "./answers.ts"
import { clientLimits } from "./limits.ts"

interface ServiceOptions {
  /** Where the service is, such as `https://journeys.example.com`. */
  readonly baseUrl: string
  /** Milliseconds that one attempt may take, whole, from 1 to 2147483647; 30,000 unless given. */
  readonly timeoutMillis?: number | undefined
  /** Attempts after the first; 5 unless given, 0 for none. */
  readonly retries?: number | undefined
  /** Another `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
}

export interface ClientOptions extends ServiceOptions {
  /** An API key, `svc_test_...` or `svc_live_...`. Keep it on your server. */
  readonly apiKey: string
}

export interface SettingsOptions extends ServiceOptions {
  /** A token of the operator: a named one with the scopes that the program needs. Keep it on your server. */
  readonly operatorToken: string
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

/** `https://host/path` without anything that would end up in the middle of an address, or in no address at all. */
const isBaseUrl = (text: string): boolean => {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) return false
  const { password, username } = new URL(text)
  return username === "" && password === ""
}

export type TransportOptions = ClientOptions | SettingsOptions

/** What opens the API. */
export const tokenOf = (options: TransportOptions): string =>
  "operatorToken" in options ? options.operatorToken : options.apiKey

export const judgeOptions = (options: TransportOptions): void => {
  const { baseUrl, timeoutMillis } = options
  if (!isBaseUrl(baseUrl)) {
    throw new TypeError(
      "baseUrl is the address of the service, such as https://journeys.example.com, without user, query and fragment"
    )
  }
  if (/\/(?:api|settings)\/v1\/*$/.test(baseUrl)) {
    throw new TypeError("baseUrl is the address of the service without the path of its API, which the client adds")
  }
  if ("operatorToken" in options) {
    // An unset variable would be taken for the word "undefined".
    if (typeof options.operatorToken !== "string" || !/^[!-~]+$/.test(options.operatorToken)) {
      throw new TypeError("operatorToken is the text of a token of the operator, without white space")
    }
  } else if (!/^svc_[!-~]+$/.test(options.apiKey)) {
    throw new TypeError("apiKey is the text of an API key, svc_test_... or svc_live_..., without white space")
  }
  judgeTimeout(timeoutMillis)
}

export const judgeTimeout = (millis: number | undefined): void => {
  const longest = clientLimits.longestTimeoutMillis
  if (millis === undefined || (Number.isInteger(millis) && millis >= 1 && millis <= longest)) return
  throw new TypeError(`timeoutMillis is a whole number of milliseconds, from 1 to ${longest}`)
}
