/**
 * The port to the rate limit: any span of sixty seconds holds at most so many admitted requests of one key (A10).
 */
import { Context, type Effect } from "effect"

export interface Allowance {
  readonly admitted: boolean
  readonly limit: number
  /** Requests left in the span that ends now. */
  readonly remaining: number
  /** Seconds, rounded up, until the oldest counted request leaves the span; 0 when none is counted. */
  readonly resetSeconds: number
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Counts a request when it is admitted. */
    readonly take: (bucket: string, limit: number) => Effect.Effect<Allowance>
    /** The same without counting. */
    readonly look: (bucket: string, limit: number) => Effect.Effect<Allowance>
  }
>()("journeys/http/RateLimiter") {}

export const windowSeconds = 60

/** The two headers of the IETF draft on rate limits: the policy, and what is left of it. */
export const rateLimitHeaders = (policy: "key" | "address", { limit, remaining, resetSeconds }: Allowance) => ({
  "ratelimit-policy": `"${policy}";q=${limit};w=${windowSeconds}`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`
})
