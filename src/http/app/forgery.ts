/**
 * Whether a request that changes something comes from our own page: the browser's word on where it comes from
 * (`Sec-Fetch-Site`, `Origin`), and a token that only our own page shows. Cookies alone prove nothing.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { hash, timingSafeEqual } from "node:crypto"
import { formTokenOf } from "../../actors/customer/secrets.ts"
import { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The request was sent by another site, or by nobody knows whom. */
export class Forged {
  readonly _tag = "Forged"
}

/** A browser that says nothing of `Sec-Fetch-Site` is old, or not on https. */
export const refuseForeign = (request: Request): Effect.Effect<void, Forged, ServiceAddress> =>
  Effect.flatMap(ServiceAddress, ({ baseUrl }) => {
    const { origin, "sec-fetch-site": site } = request.headers
    const isFromHere = site === undefined || site === "same-origin"
    return isFromHere && origin !== undefined && isOwn(origin, request, baseUrl)
      ? Effect.void
      : Effect.fail(new Forged())
  })

/**
 * A form on a page without a referrer says `null`, as Fetch has it: such a request has its token to prove itself. Any
 * other origin must be the one that was asked for; behind a proxy that is the public address.
 */
const isOwn = (origin: string, request: Request, baseUrl: string | null): boolean =>
  origin === "null" ||
  origin === `http://${request.headers["host"] ?? ""}` ||
  (baseUrl !== null && origin === new URL(baseUrl).origin)

/** Whether a token is the one that goes with the secret of the cookie its page was made with. */
export const hasToken = (secret: string | null, token: string | null): boolean =>
  secret !== null && token !== null && isSame(formTokenOf(secret), token)

export const refuseWithoutToken = (secret: string | null, token: string | null): Effect.Effect<void, Forged> =>
  hasToken(secret, token) ? Effect.void : Effect.fail(new Forged())

/** Of one length, whatever was sent. */
const isSame = (expected: string, given: string): boolean =>
  timingSafeEqual(hash("sha256", expected, "buffer"), hash("sha256", given, "buffer"))
