/**
 * How a delivery is signed (§6.3.1, W16): the text of `Service-Signature`, and the endpoint's secret it is keyed with.
 * How a receiver checks it is `verifier.js`; where secrets are kept, and how long two of them live, is not known here.
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"

export const secretPrefix = "whsec_"

/** Random bytes in a secret. */
export const secretBytes = 32

/** A secret made ready to sign with, once: handing raw bytes to every HMAC makes it several times slower. */
export type SigningKey = KeyObject

/** The secret as its owner is shown it. */
export const secretText = (random: Uint8Array): string => {
  if (random.length !== secretBytes) throw new RangeError(`a secret is made of ${secretBytes} random bytes`)
  return secretPrefix + Buffer.from(random).toString("base64")
}

/** The key is the whole text as shown, prefix included: nothing is decoded. */
export const signingKey = (secret: string): SigningKey => createSecretKey(Buffer.from(secret, "utf8"))

/**
 * `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret, in the order given: the newest comes first. The body is
 * exactly what is sent; a string stands for its UTF-8 bytes.
 */
export const signatureHeader = (
  secrets: ReadonlyArray<SigningKey>,
  unixSeconds: number,
  body: string | Uint8Array
): string => {
  const signedTime = `${unixSeconds}.`
  let header = `t=${unixSeconds}`
  for (const secret of secrets) {
    header += `,v1=${createHmac("sha256", secret).update(signedTime).update(body).digest("hex")}`
  }
  return header
}
