/**
 * Whether a callback is genuine: its bytes signed with the provider's secret, and just now, as webhooks are (§6.3). Why
 * it is not is never said, and one about a request nobody made costs the same work as any other.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { randomBytes } from "node:crypto"
import { verifySignature } from "../../../actors/webhook/verifier.js"

/** What is compared with where there is no secret. */
const nobodysSecret = Redacted.make(randomBytes(32).toString("hex"))

/** `secret` is null when there is nobody who could have signed. */
export const isGenuine = (
  request: HttpServerRequest.HttpServerRequest,
  body: Uint8Array,
  secret: Redacted.Redacted | null
): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { headers } = NodeHttpServerRequest.toIncomingMessage(request)
    const signature = headers["service-signature"]
    const time = headers["service-timestamp"]
    // The header is what people read; one that says another time than was signed is somebody's tampering.
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
