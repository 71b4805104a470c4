/**
 * The text form of an API key (decision A4): `svc_live_` or `svc_test_`, 32 random characters of base 62, and 6 of
 * checksum, so that a mistyped key or a leaked look-alike is told apart without asking anyone. Only a hash is stored.
 */
import { hash } from "node:crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secretLength = 32
const checksumLength = 6

/** What a secret scanner may look for. */
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
 * A key from random bytes, at least 64 of them. Bytes that would favour some characters are passed over; null in the
 * one case of 10^20 or so in which too few are left.
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

/** The key's mode when it is well formed, else null. */
export const modeOfApiKey = (key: string): "LIVE" | "TEST" | null => {
  const parts = apiKeyPattern.exec(key)
  if (parts === null || checksum(key.slice(0, -checksumLength)) !== parts[3]) return null
  return parts[1] === "live" ? "LIVE" : "TEST"
}

/** What is stored and looked up: SHA-256, enough for a secret of 190 bits. */
export const hashApiKey = (key: string): Uint8Array => hash("sha256", key, "buffer")
