import { createHmac, timingSafeEqual } from "node:crypto"

/** `body` is the exact bytes received, `secret` the whole text as shown, `signature` the header Service-Signature. */
export const isGenuine = (secret, signature, body, now = Math.floor(Date.now() / 1000)) => {
  const [, t, values] = /^t=(\d{1,12})((?:,v\d+=[0-9a-f]+)+)$/.exec(signature) ?? []
  if (t === undefined || !(Math.abs(now - Number(t)) <= 300)) return false
  const v1 = createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")
  const expected = Buffer.from(`v1=${v1}`)
  return values.split(",").some((v) => v.length === expected.length && timingSafeEqual(Buffer.from(v), expected))
}

// Run by receivers.test.ts: secret, signature and time as arguments, the body on stdin.
const [secret, signature, now] = process.argv.slice(2)
const body = Buffer.concat(await process.stdin.toArray())
console.log(isGenuine(secret, signature, body, Number(now)))
