/**
 * What the first bytes of a video say about its kind, whatever its label says. This file reads no other bytes:
 * `runtime/video` looks at what is inside.
 */

/** MP4 stands for its whole family with QuickTime; WEBM stands for Matroska, too. */
export type VideoKind = "MP4" | "WEBM"

/** The name of the box that tells a file's type. QuickTime files from before 2001 lack the box; no telephone makes such files. */
const fileType = [0x66, 0x74, 0x79, 0x70]
const fileTypeAt = 4

const ebml = [0x1a, 0x45, 0xdf, 0xa3]

const hasAt = (bytes: Uint8Array, at: number, wanted: ReadonlyArray<number>): boolean =>
  wanted.every((byte, index) => bytes[at + index] === byte)

export const videoKind = (firstBytes: Uint8Array): VideoKind | "OTHER" => {
  if (hasAt(firstBytes, fileTypeAt, fileType)) return "MP4"
  return hasAt(firstBytes, 0, ebml) ? "WEBM" : "OTHER"
}
