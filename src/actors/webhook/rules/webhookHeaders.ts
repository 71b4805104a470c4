/**
 * The headers of one attempt (§6.2): which event it carries, and its signature. Every attempt is signed anew, for its own
 * time. The delivery log keeps the signature only: everything else can be told from the event and the time. `Host` and
 * `Content-Length` are the connection's business.
 */
import type { DueWebhookDelivery } from "./DueWebhookDelivery.ts"
import { signatureHeader, type SigningKey } from "./signature.ts"

/** The headers that every delivery has besides its own (W10). */
export const fixedWebhookHeaders = {
  "Content-Type": "application/json",
  "User-Agent": "Journeys-Webhooks/1.0"
} as const

const unixSeconds = (at: number): number => Math.floor(at / 1000)

/** What signs an attempt whose request leaves at `at`, in epoch milliseconds. */
export const attemptSignature = (body: string, keys: ReadonlyArray<SigningKey>, at: number): string =>
  signatureHeader(keys, unixSeconds(at), body)

/**
 * The headers of an attempt whose request left at `at`, in epoch milliseconds, besides the fixed ones. A ping or a sample belongs
 * to no journey, and so has no sequence. `signature` is null where there was none, or where it was not kept.
 */
export const webhookHeaders = (
  { eventId, sequence, type }: Pick<DueWebhookDelivery, "eventId" | "sequence" | "type">,
  at: number,
  signature: string | null
): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {
    "Service-Event-Id": eventId,
    "Service-Event-Type": type,
    "Service-Timestamp": String(unixSeconds(at))
  }
  if (signature !== null) headers["Service-Signature"] = signature
  if (sequence > 0) headers["Service-Event-Sequence"] = String(sequence)
  return headers
}
