/**
 * The headers of one attempt (§6.2): which event it carries, and its signature. Every attempt is signed anew, for its own
 * time. The headers that never change are added by the sender.
 */
import type { DueWebhookDelivery } from "./DueWebhookDelivery.ts"
import { signatureHeader, type SigningKey } from "./signature.ts"

/** `at` in epoch milliseconds. A ping or a sample belongs to no journey, and so has no sequence. */
export const webhookHeaders = (
  { body, eventId, sequence, type }: Pick<DueWebhookDelivery, "body" | "eventId" | "sequence" | "type">,
  keys: ReadonlyArray<SigningKey>,
  at: number
): Readonly<Record<string, string>> => {
  const seconds = Math.floor(at / 1000)
  const headers: Record<string, string> = {
    "Service-Event-Id": eventId,
    "Service-Event-Type": type,
    "Service-Timestamp": String(seconds),
    "Service-Signature": signatureHeader(keys, seconds, body)
  }
  if (sequence > 0) headers["Service-Event-Sequence"] = String(sequence)
  return headers
}
