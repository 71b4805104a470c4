/**
 * The secrets customers carry: 256 bits each, as text that fits a URL and a cookie. What is stored is a hash; it needs
 * no slow one, because nobody can try 2^256 texts.
 */
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"

const secretBytes = 32

const written = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")

export const newSecret = (): string => written(SecureRandom.randomBytesUnsafe(secretBytes))

/** A secret of given bytes, 32 of them. */
export const secretOf = (bytes: Uint8Array): string => {
  if (bytes.length !== secretBytes) throw new RangeError(`a secret is made of ${secretBytes} bytes`)
  return written(bytes)
}

/** Whether a text can be a secret at all; the last of its characters says less than the others. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)

export const hashSecret = (secret: string): Uint8Array => hash("sha256", secret, "buffer")

/** What a form shows to prove that it comes from our own page: only who has the secret can know it. */
export const formTokenOf = (secret: string): string => hash("sha256", `form|${secret}`, "base64url")
