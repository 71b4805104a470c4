/**
 * What the first bytes of a video say it is, whatever its label, and how large and long one may be. It reads no more
 * than those bytes: what is inside is looked at by those who have the means.
 */

/** MP4 stands for its whole family, QuickTime included; WEBM for Matroska. */
export type VideoKind = "MP4" | "WEBM"

/** Bytes. Two minutes of a telephone's ordinary quality; they are opened in memory to be looked at. */
export const mostVideoBytes = 100 * 2 ** 20

/** Bytes of one part of an upload: small enough to be sent again over a bad connection. */
export const mostChunkBytes = 2 ** 20

/** Parts of one upload: many more than are needed, so that a customer may send smaller ones. */
export const mostChunks = 1000

/** Seconds. */
export const longestVideo = 120

/** Pixels of a frame, what 4K cameras make and a little more. Decoding takes memory by it. */
export const mostFramePixels = 9_000_000

/** What is needed to tell. */
export const kindBytes = 12

/** The box of the file's type, without which a QuickTime file of before 2001 does; no telephone makes those. */
const fileType = [0x66, 0x74, 0x79, 0x70]
const fileTypeAt = 4

const ebml = [0x1a, 0x45, 0xdf, 0xa3]

const hasAt = (bytes: Uint8Array, at: number, wanted: ReadonlyArray<number>): boolean =>
  wanted.every((byte, index) => bytes[at + index] === byte)

export const videoKind = (firstBytes: Uint8Array): VideoKind | "OTHER" => {
  if (hasAt(firstBytes, fileTypeAt, fileType)) return "MP4"
  return hasAt(firstBytes, 0, ebml) ? "WEBM" : "OTHER"
}
