/**
 * Whether a callback is genuine: the provider's secret has signed its bytes, and has signed them just now, as webhooks are
 * signed (§6.3). Why a callback is not genuine is never said. A callback about a request that nobody made costs the same
 * work as any other.
 */
import { Clock, Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { randomBytes } from "node:crypto"
import { incomingMessage } from "../../server/incomingMessage.ts"
import { verifySignature } from "../../../actors/webhook/verifier.js"

/** The secret to compare with where there is none. */
const nobodysSecret = Redacted.make(randomBytes(32).toString("hex"))

/** `secret` is null when there is nobody who could have signed. */
export const verifyCallback = (
  request: HttpServerRequest.HttpServerRequest,
  body: Uint8Array,
  secret: Redacted.Redacted | null
): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { headers } = incomingMessage(request)
    const signature = headers["service-signature"]
    const time = headers["service-timestamp"]
    // People read this header. If it says another time than the signed one, somebody has tampered with it.
    const isTimeSigned =
      time === undefined || (typeof signature === "string" && signature.startsWith(`t=${String(time)},`))
    return isSigned(body, headers, secret ?? nobodysSecret, now) && isTimeSigned && secret !== null
  })
const isSigned = (
  body: Uint8Array,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
  secret: Redacted.Redacted,
  now: number
): boolean => {
  try {
    verifySignature({ body, headers, secret: Redacted.value(secret), now })
    return true
  } catch {
    return false
  }
}
