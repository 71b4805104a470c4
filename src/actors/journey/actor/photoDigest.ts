/** The SHA-256 of a photo as text. It is computed once for each buffer, because a photo is large and several places need it. */
import { hash } from "node:crypto"

const digests = new WeakMap<Uint8Array, string>()

/** Hexadecimal. The buffer must not change afterwards. */
export const photoDigest = (photo: Uint8Array): string => {
  const known = digests.get(photo)
  if (known !== undefined) return known
  const digest = hash("sha256", photo, "hex")
  digests.set(photo, digest)
  return digest
}
