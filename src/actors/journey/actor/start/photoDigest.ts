/** The SHA-256 of a photo as text. It is computed once for each buffer, because a photo is large and several places need it. */
import { createHash, hash } from "node:crypto"

const digests = new WeakMap<Uint8Array, string>()

/** Hexadecimal. The buffer must not change afterwards. */
export const photoDigest = (photo: Uint8Array): string => {
  const known = digests.get(photo)
  if (known !== undefined) return known
  const digest = hash("sha256", photo, "hex")
  digests.set(photo, digest)
  return digest
}

/** Takes in a photo while it arrives: five megabytes at once would keep the event loop. `whole` is all the pieces as one buffer. */
export const digestOfPieces = () => {
  const growing = createHash("sha256")
  return {
    add: (piece: Uint8Array): void => void growing.update(piece),
    end: (whole: Uint8Array): void => void digests.set(whole, growing.digest("hex"))
  }
}
