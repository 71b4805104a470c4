/**
 * The port to the rate limit: no window of sixty seconds holds more than a given number of admitted requests of one key
 * (decision A10). How requests are counted is the business of the adapters; `authentication.ts` says what is counted.
 */
import { Context, type Effect } from "effect"
import { rateLimitSeconds } from "../limits.ts"

export interface Allowance {
  readonly admitted: boolean
  readonly limit: number
  /** Requests that are left in the window that ends now. */
  readonly remaining: number
  /** Seconds, rounded up, until the oldest counted request leaves the window; 0 when no request is counted. */
  readonly resetSeconds: number
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Asks for admission, and counts the request if it is admitted. */
    readonly take: (bucket: string, limit: number) => Effect.Effect<Allowance>
    /** Like `take`, but counts nothing. */
    readonly look: (bucket: string, limit: number) => Effect.Effect<Allowance>
  }
>()("journeys/http/RateLimiter") {}

/** The two headers of the IETF draft on rate limits: the policy, and what is left. */
export const rateLimitHeaders = (policy: "key" | "address", { limit, remaining, resetSeconds }: Allowance) => ({
  "ratelimit-policy": `"${policy}";q=${limit};w=${rateLimitSeconds}`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`
})
