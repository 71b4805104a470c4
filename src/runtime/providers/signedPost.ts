/**
 * One signed POST to an outside provider, and what it amounts to. It goes through the same sender as webhooks: only to
 * public addresses, never after a redirect, ten seconds in all. It is not repeated here.
 *
 * | what came                               | verdict                                        |
 * |-----------------------------------------|------------------------------------------------|
 * | 2xx                                     | Taken                                          |
 * | 4xx but those below                     | Refused: another try would come to the same    |
 * | 408, 425, 429, 3xx, 5xx, no answer      | Unknown: try again                             |
 *
 * Trying again is safe although the provider may have taken what went unanswered: every try of one request carries the
 * same id, in the body and as Idempotency-Key, so it is never taken twice. That is why nothing is looked up first (F5).
 */
import { Clock, Effect, Redacted } from "effect"
import type { Provider } from "../../actors/company/providers.ts"
import { isDelivered } from "../../actors/webhook/rules/classification.ts"
import type { Exchange, Sender } from "../../actors/webhook/actor/Sender.ts"
import { signatureHeader, signingKey } from "../../actors/webhook/rules/signature.ts"
import { judgeWebhookUrl } from "../../schema/webhook/webhookUrl.ts"

export type Verdict =
  | { readonly _tag: "Taken"; readonly answer: string }
  | { readonly _tag: "Refused"; readonly status: number }
  /** `reason` is a code for the log. */
  | { readonly _tag: "Unknown"; readonly reason: string }

/** Statuses of a provider that may well say something else next time. */
const passing = new Set([408, 425, 429])

export const verdictOf = (exchange: Exchange): Verdict => {
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
): Effect.Effect<Verdict> =>
  // Saved while insecure addresses were allowed, perhaps: personal data goes nowhere in plain text.
  "rule" in judgeWebhookUrl(provider.url, { allowInsecure })
    ? Effect.succeed({ _tag: "Unknown", reason: "URL_NOT_ALLOWED" })
    : Effect.scoped(
        Effect.gen(function* () {
          const text = JSON.stringify(body)
          const unixSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const headers = {
            "Idempotency-Key": requestId,
            "Service-Timestamp": String(unixSeconds),
            "Service-Signature": signatureHeader([signingKey(Redacted.value(provider.secret))], unixSeconds, text)
          }
          const channel = yield* sender.open(provider.url, 1)
          return yield* Effect.callback<Verdict>((resume) => {
            channel.post(headers, text, (exchange) => resume(Effect.succeed(verdictOf(exchange))))
          })
        })
      )
