/**
 * One signed POST to an outside provider, and what the provider's answer means. The POST goes through the sender of
 * webhooks: only to public addresses, never after a redirect, and with that sender's time limit. This file never repeats it.
 *
 * | answer                                  | verdict                                          |
 * |-----------------------------------------|--------------------------------------------------|
 * | 2xx                                     | Taken                                            |
 * | 408, 425, 429, 3xx, 5xx, no answer      | Unknown: try again                               |
 * | any other 4xx                           | Refused: another try would be refused as well    |
 *
 * The provider may have taken a request whose answer was lost. To try again is safe all the same: every try of one request
 * carries the same id, in the body and as Idempotency-Key, and the provider takes an id once. So nothing is looked up
 * before another try (F5).
 */
import { Clock, Effect, Redacted } from "effect"
import type { Provider } from "../../actors/company/providers.ts"
import { isDelivered } from "../../actors/webhook/rules/classification.ts"
import type { Sender } from "../../actors/webhook/actor/Sender.ts"
import type { Exchange } from "../../actors/webhook/rules/Exchange.ts"
import { signatureHeader, signingKey } from "../../actors/webhook/rules/signature.ts"
import { judgeWebhookUrl } from "../../schema/webhook/webhookUrl.ts"

export type ProviderVerdict =
  | { readonly _tag: "Taken"; readonly answer: string }
  | { readonly _tag: "Refused"; readonly status: number }
  /** `reason` is a code for the log. */
  | { readonly _tag: "Unknown"; readonly reason: string }

/** Statuses after which the provider may answer otherwise next time. */
const passing = new Set([408, 425, 429])

export const providerVerdictOf = (exchange: Exchange): ProviderVerdict => {
  if (exchange._tag === "Failed") return { _tag: "Unknown", reason: exchange.error }
  const { answer, status } = exchange
  if (isDelivered(exchange)) return { _tag: "Taken", answer }
  return status >= 400 && status < 500 && !passing.has(status)
    ? { _tag: "Refused", status }
    : { _tag: "Unknown", reason: `HTTP_${status}` }
}

export interface SignedPost {
  readonly provider: Provider
  /** Idempotency-Key: the same on every try. */
  readonly requestId: string
  readonly body: object
}

/** `allowInsecure`: plain http, any host and any port. */
export const signedPost = (
  sender: Sender["Service"],
  { allowInsecure }: { readonly allowInsecure: boolean },
  { body, provider, requestId }: SignedPost
): Effect.Effect<ProviderVerdict> =>
  // The URL may have been saved while insecure addresses were allowed: personal data never travels in plain text.
  "rule" in judgeWebhookUrl(provider.url, { allowInsecure })
    ? Effect.succeed({ _tag: "Unknown", reason: "URL_NOT_ALLOWED" })
    : Effect.scoped(
        Effect.gen(function* () {
          const text = JSON.stringify(body)
          const clock = yield* Clock.Clock
          const keys = [signingKey(Redacted.value(provider.secret))]
          const sign = () => {
            const unixSeconds = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
            return {
              "Idempotency-Key": requestId,
              "Service-Timestamp": String(unixSeconds),
              "Service-Signature": signatureHeader(keys, unixSeconds, text)
            }
          }
          const channel = yield* sender.open(provider.url, 1)
          return yield* Effect.callback<ProviderVerdict>((resume) => {
            channel.post(sign, text, (exchange) => resume(Effect.succeed(providerVerdictOf(exchange))))
          })
        })
      )
