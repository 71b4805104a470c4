/**
 * Who is calling. The bearer key of §5 becomes a caller, or the request fails with the first code that applies of
 * INVALID_API_KEY, API_KEY_EXPIRED, RATE_LIMITED and API_KEY_NOT_PERMITTED (decision V15, steps 2 to 4). The operator's
 * token is judged in `operator.ts`.
 */
import { Clock, Context, Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { modeOfApiKey } from "../../actors/company/apiKey.ts"
import { Keyring, type KnownKey } from "../../actors/company/Keyring.ts"
import { currentMeter } from "../../actors/kernel/Meter.ts"
import { isAmong, readAddressBlocks } from "../../schema/addressBlocks.ts"
import { addressCounted, clientAddress } from "./clientAddress.ts"
import { httpLimits } from "./limits.ts"
import { problem, unavailable, type Problem } from "./problems.ts"
import { RateLimiter, rateLimitHeaders, type Allowance } from "./RateLimiter.ts"
import type { ErrorCode } from "../../schema/problems.ts"
import type { KeyScope } from "../../schema/company/ApiKey.ts"

/** Requests a key may make in any minute (§8). */
export class RateLimit extends Context.Service<RateLimit, { readonly perMinute: number }>()(
  "journeys/http/RateLimit"
) {}

export interface Caller {
  readonly key: KnownKey
  /** How the journal names the caller. */
  readonly sender: string
}

/** What an endpoint asks of a key. */
export interface Permission {
  readonly scope: KeyScope
  /** Whether only test keys are permitted, as for Simulate. */
  readonly testOnly: boolean
}

export interface Authenticated {
  readonly caller: Caller
  readonly headers: Readonly<Record<string, string>>
}

/** A refusal is answered with the headers of the limit that counted it. */
export interface RefusedCaller {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
  /** The key, where it is known and the refusal belongs into its request log. */
  readonly key?: KnownKey
}

const bearer = /^Bearer +([\x21-\x7e]+)$/i

/** The bearer token of a request, or null. A request with two Authorization headers has none. */
export const bearerToken = (request: IncomingMessage): string | null => {
  let count = 0
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    if (request.rawHeaders[at]?.toLowerCase() === "authorization") count++
  }
  return count === 1 ? (bearer.exec(request.headers.authorization ?? "")?.[1] ?? null) : null
}

const limited = (allowance: Allowance): Problem =>
  problem("RATE_LIMITED", "key", `More than ${allowance.limit} requests in a minute`, {
    "retry-after": String(Math.max(1, allowance.resetSeconds))
  })

const bucketOf = (request: IncomingMessage): Effect.Effect<string> =>
  Effect.map(addressCounted(request), (address) => `address:${address}`)

const counted = (bucket: "KEY" | "ADDRESS", { admitted }: Allowance) =>
  Effect.map(currentMeter, (meter) =>
    meter.count("journeys_rate_limit_decisions_total", { bucket, decision: admitted ? "ADMITTED" : "REFUSED" })
  )

const challenge = 'Bearer realm="journeys"'

/** What a 401 asks for (RFC 6750, 3): whoever has sent nothing has sent nothing wrong. */
const challengeFor = (request: IncomingMessage, code: ErrorCode): string => {
  // A scheme of our own: a callback is signed, and no token would do.
  if (code === "INVALID_SIGNATURE") return 'Service-Signature realm="journeys"'
  return request.headers.authorization === undefined ? challenge : `${challenge}, error="invalid_token"`
}

/** The refusal of who asks, with what is asked for instead. */
const unauthorized = (
  request: IncomingMessage,
  code: "INVALID_API_KEY" | "API_KEY_EXPIRED" | "INVALID_SIGNATURE",
  message?: string
): Problem =>
  problem(code, code === "INVALID_SIGNATURE" ? "signature" : "authorization", message, {
    "www-authenticate": challengeFor(request, code)
  })

/** Refuses a request with a problem, and counts the refusal against the address of the caller. */
const refuseFor = Effect.fnUntraced(function* (request: IncomingMessage, refused: Problem) {
  const limiter = yield* RateLimiter
  const allowance = yield* limiter.take(yield* bucketOf(request), httpLimits.refusalsPerAddress)
  yield* counted("ADDRESS", allowance)
  const refusal: RefusedCaller = {
    problem: allowance.admitted ? refused : limited(allowance),
    headers: rateLimitHeaders("address", allowance)
  }
  return yield* Effect.fail(refusal)
})

/** Refuses whoever asks, as `refuseFor` does. */
export const refuse = (...asked: Parameters<typeof unauthorized>) => refuseFor(asked[0], unauthorized(...asked))

const guesses = (request: IncomingMessage): Effect.Effect<string> =>
  Effect.map(addressCounted(request), (address) => `operator:${address}`)

/** Refuses whoever has guessed at the operator's token too often, before anything of this request is looked at. */
export const refuseGuesser = Effect.fnUntraced(function* (request: IncomingMessage) {
  const limiter = yield* RateLimiter
  const allowance = yield* limiter.look(yield* guesses(request), httpLimits.guessesPerAddress)
  if (allowance.remaining > 0) return
  yield* counted("ADDRESS", { ...allowance, admitted: false })
  const refusal: RefusedCaller = { problem: limited(allowance), headers: rateLimitHeaders("address", allowance) }
  return yield* Effect.fail(refusal)
})

/** Refuses a wrong token of the operator, and counts the guess against the address of the caller. */
export const refuseGuess = Effect.fnUntraced(function* (request: IncomingMessage) {
  const limiter = yield* RateLimiter
  const allowance = yield* limiter.take(yield* guesses(request), httpLimits.guessesPerAddress)
  yield* counted("ADDRESS", allowance)
  yield* Effect.logWarning("A wrong operator token was presented", { left: allowance.remaining })
  const refusal: RefusedCaller = {
    problem: allowance.admitted
      ? unauthorized(request, "INVALID_API_KEY", "The operator token is missing or wrong")
      : limited(allowance),
    headers: rateLimitHeaders("address", allowance)
  }
  return yield* Effect.fail(refusal)
})

/**
 * Refuses a key from an address that it is not taken from. It counts against the address: whoever has found a key cannot use up what
 * its company may ask.
 */
const refuseElsewhere = Effect.fnUntraced(function* (request: IncomingMessage, { addresses }: KnownKey) {
  if (addresses.length === 0) return
  const address = yield* clientAddress(request)
  if (isAmong(readAddressBlocks(addresses.join(",")) ?? [], address)) return
  const message = `This key is taken from the addresses of its list only, and this request came from ${address}`
  return yield* refuseFor(request, problem("API_KEY_NOT_PERMITTED", "authorization", message))
})

/** Whether a key may use an endpoint that asks for this permission. */
export const isPermitted = (
  { livemode, scopes }: Pick<KnownKey, "livemode" | "scopes">,
  { scope, testOnly }: Permission
): boolean => scopes.includes(scope) && !(testOnly && livemode)

/** What the key lacks: its scope, or to be a test key. */
const notPermitted = ({ scope, testOnly }: Permission, { scopes }: KnownKey): Problem =>
  scopes.includes(scope) && testOnly
    ? problem(
        "API_KEY_NOT_PERMITTED",
        "authorization",
        "This is for test keys, svc_test_..., and the key is a live key"
      )
    : problem("API_KEY_NOT_PERMITTED", "authorization", `The key has no scope ${scope}, which this asks for`, {
        "www-authenticate": `${challenge}, error="insufficient_scope", scope="${scope}"`
      })

export const authenticate = Effect.fnUntraced(function* (
  request: IncomingMessage,
  permission: Permission
): Effect.fn.Return<Authenticated, RefusedCaller, Keyring | RateLimiter | RateLimit> {
  const keyring = yield* Keyring
  const limiter = yield* RateLimiter
  const presented = bearerToken(request)
  const mode = presented === null ? null : modeOfApiKey(presented)
  if (presented === null || mode === null) return yield* refuse(request, "INVALID_API_KEY")
  const known = yield* keyring.find(presented).pipe(
    Effect.catch(() =>
      bucketOf(request).pipe(
        Effect.flatMap((bucket) => limiter.look(bucket, httpLimits.refusalsPerAddress)),
        Effect.flatMap((refusals) =>
          Effect.fail<RefusedCaller>({ problem: unavailable(), headers: rateLimitHeaders("address", refusals) })
        )
      )
    )
  )
  if (
    known === null ||
    known.isRevoked ||
    !known.developer ||
    !known.company.active ||
    known.livemode !== (mode === "LIVE")
  ) {
    return yield* refuse(request, "INVALID_API_KEY")
  }
  const now = yield* Clock.currentTimeMillis
  if (known.expiresAt !== null && now >= known.expiresAt) return yield* refuse(request, "API_KEY_EXPIRED")
  yield* refuseElsewhere(request, known)

  const { perMinute } = yield* RateLimit
  const allowance = yield* limiter.take(`key:${known.keyId}`, perMinute)
  yield* counted("KEY", allowance)
  const headers = rateLimitHeaders("key", allowance)
  if (!allowance.admitted) return yield* Effect.fail({ problem: limited(allowance), headers })
  if (!isPermitted(known, permission)) {
    return yield* Effect.fail({ problem: notPermitted(permission, known), headers, key: known })
  }
  keyring.used(known.keyId, now)
  return { caller: { key: known, sender: `key:${known.keyId}` }, headers }
})
