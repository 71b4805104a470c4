/** The prints of an attempt's two faces as the bytes that are sealed: the document's first, then the selfie's. Pure. */
import type { CleanPhoto } from "../../faces/FaceCheck.ts"
import type { IdentityPhoto, Prints } from "./judgePhotos.ts"

export const printsOf = ({ documentPhoto, selfie }: Readonly<Record<IdentityPhoto, CleanPhoto>>): Uint8Array =>
  Buffer.concat([documentPhoto.print, selfie.print])

export const printsIn = (bytes: Uint8Array): Prints => {
  const half = bytes.length / 2
  return { documentPhoto: bytes.subarray(0, half), selfie: bytes.subarray(half) }
}
