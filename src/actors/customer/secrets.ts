/**
 * The secrets that customers carry: random bytes as text that fits a URL and a cookie. The store keeps a hash of a secret. A
 * fast hash is enough, because nobody can try 2^256 texts.
 */
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { customerLimits } from "./limits.ts"

const { secretBytes } = customerLimits

export const newCustomerSecret = (): string =>
  Buffer.from(SecureRandom.randomBytesUnsafe(secretBytes)).toString("base64url")

/** Whether a text can be a secret at all. The last character carries four bits, so only some characters can stand there. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)

export const hashSecret = (secret: string): Uint8Array => hash("sha256", secret, "buffer")

/** The token that proves that a form comes from our own page: only who has the secret can know the token. */
export const formTokenOf = (secret: string): string => hash("sha256", `form|${secret}`, "base64url")
