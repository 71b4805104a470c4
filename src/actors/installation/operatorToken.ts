/** The text of an operator's named token. The store keeps a hash of it, and its last four characters to tell tokens apart. */
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { installationActorLimits } from "./limits.ts"

const prefix = "svc_operator_"

/** Whether a text can be a token at all: any other text is refused without asking the database. */
export const isOperatorTokenText = (text: string): boolean => /^svc_operator_[A-Za-z0-9_-]{43}$/.test(text)

export const newOperatorTokenText = (): string =>
  prefix + Buffer.from(SecureRandom.randomBytesUnsafe(installationActorLimits.tokenBytes)).toString("base64url")

/** A fast hash is enough, because nobody can try 2^256 texts. */
export const hashOperatorToken = (text: string): Uint8Array => hash("sha256", text, "buffer")
