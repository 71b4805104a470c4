/**
 * Whether a request that changes something comes from one of our own pages. The browser says where the request comes from
 * (`Sec-Fetch-Site`, `Origin`), and the form sends a token that only our own page shows. A cookie alone proves nothing.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { hash, timingSafeEqual } from "node:crypto"
import { formTokenOf } from "../../../actors/kernel/secrets.ts"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"
import { addressCountedOf } from "./clientAddress.ts"
import { httpLimits } from "../limits.ts"
import { RateLimiter } from "../admission/RateLimiter.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Another site, or an unknown sender, sent the request. */
export class Forged {
  readonly _tag = "Forged"
}

/** Beyond the bound of its address there is no line in the log, so that a flood does not fill it. The request is refused all the same. */
const refuseForged = Effect.fnUntraced(function* (
  request: Request,
  why: "OTHER_SITE" | "NO_TOKEN"
): Effect.fn.Return<never, Forged, RateLimiter> {
  const limiter = yield* RateLimiter
  const { admitted } = yield* limiter.take(`forged:${yield* addressCountedOf(request)}`, httpLimits.refusalsPerAddress)
  if (admitted) yield* Effect.logInfo("A form was refused because no page of ours sent it", { why })
  return yield* Effect.fail(new Forged())
})

/** A browser that does not send `Sec-Fetch-Site` is old, or is not using https. */
export const refuseForeign = (request: Request): Effect.Effect<void, Forged, RateLimiter | ServiceAddress> =>
  Effect.flatMap(ServiceAddress, ({ baseUrl }) => {
    const { origin, "sec-fetch-site": site } = request.headers
    const isFromHere = site === undefined || site === "same-origin"
    return isFromHere && origin !== undefined && isOwn(origin, request, baseUrl)
      ? Effect.void
      : refuseForged(request, "OTHER_SITE")
  })

/**
 * The form of a page without a referrer sends the origin `null`, as Fetch defines it: the token of such a request proves it.
 * Any other origin must be the address that the browser asked; behind a proxy that is the public address.
 */
const isOwn = (origin: string, request: Request, baseUrl: string | null): boolean =>
  origin === "null" ||
  origin === `http://${request.headers["host"] ?? ""}` ||
  (baseUrl !== null && origin === new URL(baseUrl).origin)

/** Whether the token belongs to the secret of the cookie with which its page was made. */
export const hasToken = (secret: string | null, token: string | null): boolean =>
  secret !== null && token !== null && isSame(formTokenOf(secret), token)

export const refuseWithoutToken = (
  request: Request,
  secret: string | null,
  token: string | null
): Effect.Effect<void, Forged, RateLimiter> =>
  hasToken(secret, token) ? Effect.void : refuseForged(request, "NO_TOKEN")

/** Hashes have the same length, whatever was sent: the comparison takes the same time for every token. */
const isSame = (expected: string, given: string): boolean =>
  timingSafeEqual(hash("sha256", expected, "buffer"), hash("sha256", given, "buffer"))
