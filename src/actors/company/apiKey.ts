/**
 * The text of an API key (decision A4): `svc_live_` or `svc_test_`, 32 characters of base 62, and a checksum of 6 characters. The
 * checksum tells a mistyped key from a real one. Of the 32 the last 8 are a mark that only this installation can make, so that a
 * forged key is refused without asking the database; keys of before have 32 random characters and no mark. The store keeps a
 * hash and the last four characters. What a key may do is in `schema/company/ApiKey.ts`.
 */
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { ApiKey } from "../../schema/company/ApiKey.ts"
import type { Mode } from "../../schema/Mode.ts"
import type { Vault } from "../kernel/Vault.ts"
import { keyTextLimits } from "./limits.ts"
import type { ApiKeyChange, KeyTrace } from "./CompanyStore.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secretLength = 32
/** 24 random characters are 142 bits. */
const markLength = 8
/** As many bytes of a hash as one number holds. */
const bytesOfMark = 6
const checksumLength = 6

/** The pattern that a scanner for leaked secrets can look for. */
export const apiKeyPattern = /^svc_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

const digitsOf = (number: number, length: number): string => {
  let left = number
  let digits = ""
  for (let place = 0; place < length; place++) {
    digits = alphabet.charAt(left % alphabet.length) + digits
    left = Math.floor(left / alphabet.length)
  }
  return digits
}

const checksum = (text: string): string => digitsOf(crc32(text), checksumLength)

/** A hash that nobody makes without the installation's key: `Vault.index` for the purpose `key`. */
export type KeyedHash = (text: string) => Uint8Array

const markOf = (text: string, keyed: KeyedHash): string =>
  digitsOf(Buffer.from(keyed(text)).readUIntBE(0, bytesOfMark), markLength)

/** Whether this installation has made the text, for a well-formed key. */
const isMarked = (key: string, keyed: KeyedHash): boolean => {
  const end = key.length - checksumLength
  return key.slice(end - markLength, end) === markOf(key.slice(0, end - markLength), keyed)
}

/**
 * A key from at least 64 random bytes, without a mark if `keyed` is null. Bytes that would favour some characters are skipped. In
 * about one case of 10^20 too few bytes are left, and the answer is null.
 */
export const makeApiKey = (livemode: boolean, random: Uint8Array, keyed: KeyedHash | null): string | null => {
  const fair = 256 - (256 % alphabet.length)
  const secret = Array.from(random.filter((byte) => byte < fair).subarray(0, secretLength), (byte) =>
    alphabet.charAt(byte % alphabet.length)
  ).join("")
  if (secret.length < secretLength) return null
  const unmarked = `svc_${livemode ? "live" : "test"}_${secret}`
  const beginning = unmarked.slice(0, -markLength)
  const body = keyed === null ? unmarked : beginning + markOf(beginning, keyed)
  return body + checksum(body)
}

/** The key's mode; null when the text is no well-formed key. */
export const modeOfApiKey = (key: string): Mode | null => {
  const parts = apiKeyPattern.exec(key)
  if (parts === null || checksum(key.slice(0, -checksumLength)) !== parts[3]) return null
  return parts[1] === "live" ? "LIVE" : "TEST"
}

/** The hash that is stored and looked up. A fast one is enough, because nobody can try 2^142 texts. */
export const hashApiKey = (key: string): Uint8Array => hash("sha256", key, "buffer")

export const newKeyText = (mode: Mode, keyed: KeyedHash): string =>
  makeApiKey(mode === "LIVE", SecureRandom.randomBytesUnsafe(keyTextLimits.randomBytes), keyed) ??
  newKeyText(mode, keyed)

/** Traces of keys whose mark was found right, by their hashes: a trace never changes. What was forged is not remembered. */
const traces = new WeakMap<KeyedHash, Map<string, KeyTrace>>()

export const keyTrace = (text: string, keyed: KeyedHash): KeyTrace => {
  let known = traces.get(keyed)
  if (known === undefined) traces.set(keyed, (known = new Map()))
  // A hash as text costs a fifth of one as bytes.
  const name = hash("sha256", text, "binary")
  const found = known.get(name)
  if (found !== undefined) return found
  const trace = { hash: Buffer.from(name, "binary"), last4: text.slice(-4), isMarked: isMarked(text, keyed) }
  if (!trace.isMarked) return trace
  if (known.size >= keyTextLimits.mostTracesKnown) known.clear()
  known.set(name, trace)
  return trace
}

/** What this installation hashes the texts of keys with. */
export const keyedHashOf =
  (vault: Vault["Service"]): KeyedHash =>
  (text) =>
    vault.index("key", text)

/** A new key: what its maker chose, and the defaults for the rest. */
export const newApiKey = (
  made: Pick<ApiKey, "id" | "companyId" | "mode" | "last4" | "createdAt">,
  chosen: ApiKeyChange
): ApiKey => ApiKey.row.make({ name: made.mode === "LIVE" ? "Live key" : "Test key", ...chosen, ...made })
