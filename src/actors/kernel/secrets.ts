/**
 * The secrets that customers and members carry: bytes as text that fits a URL and a cookie. The store keeps a hash of a secret. A
 * fast hash is enough, because nobody can try 2^192 texts. The last bytes of the secret of a link or a session are a mark that only the
 * installation can make: what was forged is refused without asking the database (`stores/kernel/secretMarks.ts`).
 */
import { SecureRandom } from "effect/crypto"
import { hash, timingSafeEqual } from "node:crypto"
import type { Vault } from "./Vault.ts"
import { carriedSecretLimits } from "./limits.ts"

const { markBytes, secretBytes } = carriedSecretLimits

type Marking = Pick<Vault["Service"], "index">

/** The marks have their index with those of API keys: no text of a key begins so. */
const markOf = (random: Uint8Array, vault: Marking): Uint8Array =>
  vault.index("key", `secret|${Buffer.from(random).toString("base64url")}`).subarray(0, markBytes)

/** The secret of a link or a session. */
export const newMarkedSecret = (vault: Marking): string => {
  const random = SecureRandom.randomBytesUnsafe(secretBytes - markBytes)
  return Buffer.concat([random, markOf(random, vault)]).toString("base64url")
}

/** Whether this installation has made the text, for a text that can be a secret. */
export const isMarkedSecret = (text: string, vault: Marking): boolean => {
  const bytes = Buffer.from(text, "base64url")
  const end = secretBytes - markBytes
  return timingSafeEqual(bytes.subarray(end), markOf(bytes.subarray(0, end), vault))
}

/** A secret that is kept nowhere: the nonce of a page. */
export const newNonce = (): string => Buffer.from(SecureRandom.randomBytesUnsafe(secretBytes)).toString("base64url")

/** Whether a text can be a secret at all. The last character carries four bits, so only some characters can stand there. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)

export const hashSecret = (secret: string): Uint8Array => hash("sha256", secret, "buffer")

/** The token that proves that a form comes from our own page: only who has the secret can know the token. */
export const formTokenOf = (secret: string): string => hash("sha256", `form|${secret}`, "base64url")
