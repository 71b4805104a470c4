/** The SHA-256 of a photo as text, worked out once for each buffer: several megabytes, and more than one place asks. */
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
