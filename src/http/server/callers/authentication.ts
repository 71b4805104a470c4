/**
 * Who is calling. The bearer key of §5 becomes a caller, or the request fails with the first code that applies of
 * INVALID_API_KEY, API_KEY_EXPIRED, RATE_LIMITED and API_KEY_NOT_PERMITTED (decision V15, steps 2 to 4). The operator's
 * token is judged in `operator.ts`.
 */
import { Clock, Context, Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { modeOfApiKey } from "../../../actors/company/apiKey.ts"
import type { Mode } from "../../../schema/Mode.ts"
import { Keyring, type KnownKey } from "../../../actors/company/Keyring.ts"
import { currentMeter, meterOf } from "../../../actors/kernel/Meter.ts"
import { isAmong, readAddressBlocks } from "../../../schema/addressBlocks.ts"
import { addressCounted, clientAddress } from "./clientAddress.ts"
import { httpLimits } from "../limits.ts"
import { problem, unavailable, type Problem } from "../answers/problems.ts"
import { RateLimiter, rateLimitHeaders, type Allowance } from "../admission/RateLimiter.ts"
import type { ErrorCode } from "../../../schema/problems.ts"
import type { KeyScope } from "../../../schema/company/ApiKey.ts"

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

const schemeOfBearer = /^Bearer(?: |$)/i

/** Why no key was taken from the request. Of a wrong key nothing is told: neither whether it was one, nor what became of it. */
const whyNoKey = ({ headers: { authorization } }: IncomingMessage): string | undefined =>
  authorization !== undefined && schemeOfBearer.test(authorization)
    ? undefined
    : "The request has no API key: send it in the header Authorization: Bearer svc_test_... or svc_live_..."

const secondsToWait = ({ resetSeconds }: Allowance): number => Math.max(1, resetSeconds)

const rateLimited = (allowance: Allowance, field: "key" | "authorization", message: string): Problem =>
  problem("RATE_LIMITED", field, message, { "retry-after": String(secondsToWait(allowance)) })

const limited = (allowance: Allowance): Problem =>
  rateLimited(allowance, "key", `More than ${allowance.limit} requests in a minute`)

/** What is refused from an address is counted for all who ask from there: the answer says what the address did. */
const refusedTooOften = (allowance: Allowance): Problem =>
  rateLimited(
    allowance,
    "authorization",
    `More than ${allowance.limit} requests of this address were refused in a minute, and so would be this one`
  )

/** Who has the right token has perhaps sent one request: the answer says what others of the address did. */
const lockedOut = (allowance: Allowance): Problem =>
  rateLimited(
    allowance,
    "authorization",
    `Too many wrong operator tokens came from this address: ${allowance.limit} in a minute. Until that minute is over no token is looked at. Try again in ${secondsToWait(allowance)} s`
  )

const bucketOf = (request: IncomingMessage): Effect.Effect<string> =>
  Effect.map(addressCounted(request), (address) => `address:${address}`)

const decisionOf = <Bucket extends "KEY" | "ADDRESS">(bucket: Bucket, { admitted: isAdmitted }: Allowance) =>
  ({ bucket, decision: isAdmitted ? "ADMITTED" : "REFUSED" }) as const

const countedForAddress = (allowance: Allowance) =>
  Effect.map(currentMeter, (meter) =>
    meter.count("journeys_rate_limit_decisions_total", decisionOf("ADDRESS", allowance))
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
  yield* countedForAddress(allowance)
  // Beyond the bound of the address there is no line, so that a flood does not fill the log.
  if (allowance.admitted) yield* Effect.logInfo("A caller was refused", { code: refused.errors[0]?.code })
  const refusal: RefusedCaller = {
    problem: allowance.admitted ? refused : refusedTooOften(allowance),
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
  yield* countedForAddress({ ...allowance, admitted: false })
  const refusal: RefusedCaller = { problem: lockedOut(allowance), headers: rateLimitHeaders("address", allowance) }
  return yield* Effect.fail(refusal)
})

/** Refuses a wrong token of the operator, and counts the guess against the address of the caller. */
export const refuseGuess = Effect.fnUntraced(function* (request: IncomingMessage) {
  const limiter = yield* RateLimiter
  const allowance = yield* limiter.take(yield* guesses(request), httpLimits.guessesPerAddress)
  yield* countedForAddress(allowance)
  yield* Effect.logWarning("A wrong operator token was presented", { left: allowance.remaining })
  const refusal: RefusedCaller = {
    problem: allowance.admitted
      ? unauthorized(request, "INVALID_API_KEY", "The operator token is missing or wrong")
      : lockedOut(allowance),
    headers: rateLimitHeaders("address", allowance)
  }
  return yield* Effect.fail(refusal)
})

/**
 * Refuses a key from an address that it is not taken from. It counts against the address: whoever has found a key cannot use up what
 * its company may ask.
 */
const refuseElsewhere = Effect.fnUntraced(function* (request: IncomingMessage, { addresses }: KnownKey) {
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

const isUsable = (known: KnownKey, mode: Mode): boolean =>
  !known.isRevoked && known.developer && known.company.active && known.livemode === (mode === "LIVE")

/** The store of keys is away. What the address may still ask is told all the same. */
const unknowable = (request: IncomingMessage) =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const refusals = yield* limiter.look(yield* bucketOf(request), httpLimits.refusalsPerAddress)
    return yield* Effect.fail<RefusedCaller>({ problem: unavailable(), headers: rateLimitHeaders("address", refusals) })
  })

/** A key that goes on asking is refused hundreds of times a minute, and stands once a minute in the log. */
const noteUsedUp = Effect.fnUntraced(function* ({ keyId }: KnownKey) {
  const limiter = yield* RateLimiter
  const { admitted: isFirst } = yield* limiter.take(`used up:${keyId}`, 1)
  if (isFirst) yield* Effect.logInfo("An API key has used up its requests of the minute", { keyId })
})

type Authentication = Effect.Effect<Authenticated, RefusedCaller, Keyring | RateLimiter | RateLimit>

// Written as functions of the fiber and not as a generator: every request comes this way, and few are refused.
export const authenticate = (request: IncomingMessage, permission: Permission): Authentication => {
  const presented = bearerToken(request)
  const mode = presented === null ? null : modeOfApiKey(presented)
  if (presented === null || mode === null) return refuse(request, "INVALID_API_KEY", whyNoKey(request))
  return Effect.flatMap(Keyring, (keyring) =>
    Effect.matchEffect(keyring.find(presented), {
      onFailure: () => unknowable(request),
      onSuccess: (known) =>
        known === null || !isUsable(known, mode)
          ? refuse(request, "INVALID_API_KEY")
          : admitted(request, keyring, known, permission)
    })
  )
}

const admitted = (
  request: IncomingMessage,
  keyring: Keyring["Service"],
  known: KnownKey,
  permission: Permission
): Authentication =>
  Effect.withFiber((fiber) => {
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    if (known.expiresAt !== null && now >= known.expiresAt) return refuse(request, "API_KEY_EXPIRED")
    const services = fiber.context as Context.Context<RateLimiter | RateLimit>
    const take = Context.get(services, RateLimiter).take(
      `key:${known.keyId}`,
      Context.get(services, RateLimit).perMinute
    )
    const taken = Effect.flatMap(take, (allowance): Authentication => {
      meterOf(fiber).count("journeys_rate_limit_decisions_total", decisionOf("KEY", allowance))
      const headers = rateLimitHeaders("key", allowance)
      if (!allowance.admitted)
        return Effect.andThen(noteUsedUp(known), Effect.fail({ problem: limited(allowance), headers }))
      if (!isPermitted(known, permission)) {
        return Effect.fail({ problem: notPermitted(permission, known), headers, key: known })
      }
      keyring.used(known.keyId, now)
      return Effect.succeed({ caller: { key: known, sender: `key:${known.keyId}` }, headers })
    })
    return known.addresses.length === 0 ? taken : Effect.andThen(refuseElsewhere(request, known), taken)
  })
