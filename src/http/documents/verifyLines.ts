/**
 * The lines with which a receiver verifies a delivery, in three languages: printed by the document, and by the console's pages of
 * webhooks. They are run against our own signatures in `test/actors/webhook/receivers.test.ts`.
 */
import { defaultToleranceSeconds } from "../../actors/webhook/verifier.js"

export const verifyLines = {
  Node: `
import { createHmac, timingSafeEqual } from "node:crypto"

/** \`body\` is the exact bytes received, \`secret\` the whole text as shown, \`signature\` the header Service-Signature. */
export const isGenuine = (secret, signature, body, now = Math.floor(Date.now() / 1000)) => {
  const [, t, values] = /^t=(\\d{1,12})((?:,v\\d+=[0-9a-f]+)+)$/.exec(signature) ?? []
  if (t === undefined || !(Math.abs(now - Number(t)) <= ${defaultToleranceSeconds})) return false
  const v1 = createHmac("sha256", secret).update(\`\${t}.\`).update(body).digest("hex")
  const expected = Buffer.from(\`v1=\${v1}\`)
  return values.split(",").some((v) => v.length === expected.length && timingSafeEqual(Buffer.from(v), expected))
}
`.trim(),
  Python: String.raw`
import hashlib, hmac, re, time


def is_genuine(secret, signature, body, now=None):
    """body: the exact bytes received; secret: the whole text as shown; signature: the header Service-Signature."""
    header = re.fullmatch(r"t=([0-9]{1,12})((?:,v[0-9]+=[0-9a-f]+)+)", signature)
    now = int(time.time()) if now is None else now
    if header is None or abs(now - int(header[1])) > ${defaultToleranceSeconds}:
        return False
    v1 = hmac.new(secret.encode(), header[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(value, "v1=" + v1) for value in header[2].split(","))
`.trim(),
  PHP: String.raw`
<?php

/** $body: the exact bytes received; $secret: the whole text as shown; $signature: the header Service-Signature. */
function is_genuine(string $secret, string $signature, string $body, ?int $now = null): bool
{
    $form = '/\At=([0-9]{1,12})((?:,v[0-9]+=[0-9a-f]+)+)\z/';
    if (!preg_match($form, $signature, $header)) return false;
    if (abs(($now ?? time()) - (int) $header[1]) > ${defaultToleranceSeconds}) return false;
    $expected = 'v1=' . hash_hmac('sha256', $header[1] . '.' . $body, $secret);
    foreach (explode(',', $header[2]) as $value) if (hash_equals($expected, $value)) return true;
    return false;
}
`.trim()
} as const
