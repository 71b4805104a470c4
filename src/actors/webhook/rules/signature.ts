/**
 * How a delivery is signed (§6.3.1, W16): the text of `Service-Signature`, and the endpoint's secret that keys it. How a
 * receiver checks the signature is in `verifier.js`. Where secrets are kept, and for how long several of them sign, is not
 * decided here.
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { stillSigning } from "./Endpoint.ts"

export const secretPrefix = "whsec_"

/** A secret that is ready to sign with. It is made once, because an HMAC with raw bytes as its key is several times slower. */
export type SigningKey = KeyObject

/** The keys of an endpoint's secrets. After a roll a previous secret, of which the newest comes first, may go on signing until its end. */
export interface SigningKeys {
  readonly present: SigningKey
  readonly previous: ReadonlyArray<{
    readonly key: SigningKey
    /** Epoch milliseconds. */
    readonly until: number
  }>
}

/** The keys that sign at this time, the newest first. */
export const keysAt = ({ present, previous }: SigningKeys, at: number): ReadonlyArray<SigningKey> => [
  present,
  ...stillSigning(previous, at).map(({ key }) => key)
]

/** The secret as its owner sees it. */
export const secretText = (random: Uint8Array): string => {
  const { secretBytes } = webhookLimits
  if (random.length !== secretBytes) throw new RangeError(`a secret is made of ${secretBytes} random bytes`)
  return secretPrefix + Buffer.from(random).toString("base64")
}

/** The key is the whole text as shown, with its prefix. Nothing is decoded. */
export const signingKey = (secret: string): SigningKey => createSecretKey(Buffer.from(secret, "utf8"))

/**
 * `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret in the order given: the newest comes first. The body is
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
