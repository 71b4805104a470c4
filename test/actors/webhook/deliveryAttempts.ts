/**
 * Deliveries that every verifier must judge alike: the lines on the page for integrators, `journeys/webhooks`, and the client
 * packages in TypeScript and Python. Each says what a verifier answers: taken, or the reason of its refusal. Not a test itself.
 */
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { defaultToleranceSeconds, type WebhookVerificationReason } from "../../../src/actors/webhook/verifier.js"
import { signatureExample } from "../../../src/http/documents/prose.ts"

export interface DeliveryAttempt {
  readonly secret: string
  readonly signature: string
  readonly body: string
  /** Unix seconds. */
  readonly now: number
}

type Verdict = "taken" | WebhookVerificationReason

const { body, header, secret, t, v1 } = signatureExample
const genuine: DeliveryAttempt = { secret, signature: header, body, now: t }
const signedWith = (secrets: ReadonlyArray<string>, body: string) => signatureHeader(secrets.map(signingKey), t, body)
const long = "Zoë 🚗 ".repeat(10_000)

export const deliveryAttempts: ReadonlyArray<readonly [string, Verdict, DeliveryAttempt]> = [
  ["the page's example", "taken", genuine],
  ["any UTF-8 body", "taken", { ...genuine, body: "Zoë 🚗\n", signature: signedWith([secret], "Zoë 🚗\n") }],
  ["an empty body", "taken", { ...genuine, body: "", signature: signedWith([secret], "") }],
  ["a body of 140 KB", "taken", { ...genuine, body: long, signature: signedWith([secret], long) }],
  ["the newer of two secrets", "taken", { ...genuine, signature: signedWith([secret, "whsec_older"], body) }],
  ["the older of two secrets", "taken", { ...genuine, signature: signedWith(["whsec_newer", secret], body) }],
  ["a scheme to come beside v1", "taken", { ...genuine, signature: `t=${t},v2=00,v1=${v1}` }],
  ["a time 300 seconds ago", "taken", { ...genuine, now: t + defaultToleranceSeconds }],
  ["a time 300 seconds ahead", "taken", { ...genuine, now: t - defaultToleranceSeconds }],
  ["a time 301 seconds ago", "STALE_TIMESTAMP", { ...genuine, now: t + defaultToleranceSeconds + 1 }],
  ["a time 301 seconds ahead", "FUTURE_TIMESTAMP", { ...genuine, now: t - defaultToleranceSeconds - 1 }],
  ["another body", "NO_MATCH", { ...genuine, body: `${body} ` }],
  ["another secret", "NO_MATCH", { ...genuine, secret: "whsec_other" }],
  ["the secret without its prefix", "NO_MATCH", { ...genuine, secret: secret.replace("whsec_", "") }],
  ["another time", "NO_MATCH", { ...genuine, signature: `t=${t + 1},v1=${v1}` }],
  ["another signature", "NO_MATCH", { ...genuine, signature: `t=${t},v1=${v1.replace("2", "3")}` }],
  ["upper case", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=${t},v1=${v1.toUpperCase()}` }],
  ["a short signature", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=${t},v1=${v1.slice(1)}` }],
  ["a long signature", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=${t},v1=${v1}0` }],
  ["only another scheme", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=${t},v0=${v1}` }],
  ["two times", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=${t},t=${t},v1=${v1}` }],
  ["a time that is none", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=x,v1=${v1}` }],
  ["a line break at the end", "MALFORMED_SIGNATURE", { ...genuine, signature: `${header}\n` }],
  ["letters beyond ASCII", "MALFORMED_SIGNATURE", { ...genuine, signature: `t=${t},v1=${"é".repeat(64)}` }],
  ["digits beyond ASCII", "MALFORMED_SIGNATURE", { ...genuine, signature: header.replace("1", "١") }],
  ["a list of signatures", "MALFORMED_SIGNATURE", { ...genuine, signature: `${header}, ${header}` }],
  ["no signature", "MISSING_SIGNATURE", { ...genuine, signature: "" }]
]
