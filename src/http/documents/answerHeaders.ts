/**
 * The headers of answers as the document describes them: the headers that exist, and the statuses at which an operation
 * sends each of them. The files of `http/server` write the headers.
 */
import { rateLimitSeconds } from "../server/limits.ts"
import { rateLimitHeaders } from "../server/admission/RateLimiter.ts"

interface Header {
  readonly description: string
  readonly schema: object
  readonly example?: unknown
}

const example = rateLimitHeaders("key", { admitted: true, limit: 500, remaining: 497, resetSeconds: 42 })

export const answerHeaders = {
  "Request-Id": {
    description: "Names this request in the service's logs; quote it when you ask about an answer",
    schema: { type: "string", format: "uuid" }
  },
  RateLimit: {
    description: `What is left of the limit: \`r\` requests now, and \`t\` seconds until the oldest counted one is ${rateLimitSeconds} seconds old`,
    schema: { type: "string" },
    example: example.ratelimit
  },
  "RateLimit-Policy": {
    description:
      "The limit that counted this request: `q` requests in any `w` seconds, per `key`, or per `address` when the key was refused",
    schema: { type: "string" },
    example: example["ratelimit-policy"]
  },
  "Retry-After": {
    description: "Seconds to wait before the request is sent again",
    schema: { type: "integer", minimum: 1 }
  },
  "Idempotent-Replayed": {
    description: "The request was carried out before, under the same Idempotency-Key",
    schema: { type: "string", enum: ["true"] }
  },
  "Service-Event-Sequence": {
    description: "The event's number among those of its journey, as its deliveries say it. A ping or a sample has none",
    schema: { type: "integer", minimum: 1 }
  },
  Link: {
    description: 'On every failure: the page of its code, with what to do, as `rel="help"`',
    schema: { type: "string" },
    example: '</docs/errors/VALIDATION_FAILED>; rel="help"'
  },
  "WWW-Authenticate": {
    description:
      'What is asked for. `error="invalid_token"` when a token was sent; on a 403, `insufficient_scope` with the scope that is missing',
    schema: { type: "string" },
    example: 'Bearer realm="journeys", error="invalid_token"'
  },
  Allow: {
    description: "With METHOD_NOT_ALLOWED: the methods the path has",
    schema: { type: "string" },
    example: "GET, POST"
  }
} as const satisfies Record<string, Header>

type Name = keyof typeof answerHeaders

const ref = (name: Name) => [name, { $ref: `#/components/headers/${name}` }] as const

/** `isCounted` says that the limit of an API key counts every request. Otherwise only refusals are counted, by address. */
export const headersOf = (status: number, isCounted: boolean) =>
  Object.fromEntries([
    ref("Request-Id"),
    ...(isCounted || status === 401 || status === 429 ? [ref("RateLimit"), ref("RateLimit-Policy")] : []),
    ...(status === 429 || status === 503 ? [ref("Retry-After")] : []),
    ...(status >= 400 ? [ref("Link")] : []),
    ...(status === 401 ? [ref("WWW-Authenticate")] : [])
  ])

export const headersOfReplay = Object.fromEntries([ref("Idempotent-Replayed")])

export const headersOfEvent = Object.fromEntries([ref("Service-Event-Sequence")])

/** The headers of an answer that is given before the request has found its operation. */
export const headersOfAnyRequest = Object.fromEntries([ref("Request-Id"), ref("Link"), ref("Allow")])
