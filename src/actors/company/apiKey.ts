/**
 * The text of an API key (decision A4): `svc_live_` or `svc_test_`, 32 random characters of base 62, and a checksum of 6
 * characters. The checksum tells a mistyped key or a look-alike from a real key without asking the database. The store
 * keeps a hash and the last four characters. What a key may do is in `schema/company/ApiKey.ts`.
 */
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { ApiKey } from "../../schema/company/ApiKey.ts"
import type { Mode } from "../../schema/Mode.ts"
import { keyTextLimits } from "./limits.ts"
import type { ApiKeyChange, KeyTrace } from "./CompanyStore.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secretLength = 32
const checksumLength = 6

/** The pattern that a scanner for leaked secrets can look for. */
export const apiKeyPattern = /^svc_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

const checksum = (text: string): string => {
  let left = crc32(text)
  let digits = ""
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet.charAt(left % alphabet.length) + digits
    left = Math.floor(left / alphabet.length)
  }
  return digits
}

/**
 * A key from at least 64 random bytes. Bytes that would favour some characters are skipped. In about one case of 10^20 too
 * few bytes are left, and the answer is null.
 */
export const makeApiKey = (livemode: boolean, random: Uint8Array): string | null => {
  const fair = 256 - (256 % alphabet.length)
  const secret = Array.from(random.filter((byte) => byte < fair).subarray(0, secretLength), (byte) =>
    alphabet.charAt(byte % alphabet.length)
  ).join("")
  if (secret.length < secretLength) return null
  const body = `svc_${livemode ? "live" : "test"}_${secret}`
  return body + checksum(body)
}

/** The key's mode; null when the text is no well-formed key. */
export const modeOfApiKey = (key: string): Mode | null => {
  const parts = apiKeyPattern.exec(key)
  if (parts === null || checksum(key.slice(0, -checksumLength)) !== parts[3]) return null
  return parts[1] === "live" ? "LIVE" : "TEST"
}

/** The hash that is stored and looked up. SHA-256 is enough for a secret of 190 bits. */
export const hashApiKey = (key: string): Uint8Array => hash("sha256", key, "buffer")

export const newKeyText = (mode: Mode): string =>
  makeApiKey(mode === "LIVE", SecureRandom.randomBytesUnsafe(keyTextLimits.randomBytes)) ?? newKeyText(mode)

export const keyTrace = (text: string): KeyTrace => ({ hash: hashApiKey(text), last4: text.slice(-4) })

/** A new key: what its maker chose, and the defaults for the rest. */
export const newApiKey = (
  made: Pick<ApiKey, "id" | "companyId" | "mode" | "last4" | "createdAt">,
  chosen: ApiKeyChange
): ApiKey => ApiKey.row.make({ name: made.mode === "LIVE" ? "Live key" : "Test key", ...chosen, ...made })
