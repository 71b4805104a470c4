/**
 * The limits of photos and videos. Names carry the unit, because a process without the rest of the service reads these
 * limits, too. The size of a photo as a file is a limit of the start (`schema/start/limits.ts`).
 */

/**
 * Cameras make 12 or 24 megapixels, which fit into the 5 MB of a photo. Decoding takes about 25 bytes of memory and 100
 * nanoseconds for each pixel, and twice the time for the oddest kinds.
 */
const mostPixels = 25_000_000

/** A strip of pixels is not a photo: the photo of a camera has no longer side. */
const longestSidePixels = 12_000

export const sentPhotoLimits = {
  mostPixels,
  longestSidePixels,
  /**
   * Decoding a JPEG takes memory for each sample, and a pixel has one and a half, two, three or four samples. 40 million
   * samples take 600 megabytes. They suffice for the most pixels with colours at half their size, as cameras store them,
   * and for 13 megapixels with full colours.
   */
  mostJpegSamples: 40_000_000,
  /** Four bytes for each of the most pixels, and the bytes that begin their rows. */
  mostInflatedBytes: 4 * mostPixels + 2 * longestSidePixels,
  /** A JPEG segment is no longer than this, so a wrong length points no further. */
  longestJpegGapBytes: 65_536,
  /** One part of an upload: two seconds of a line of 40 kilobytes a second, so that little is lost when the line breaks. */
  largestPartBytes: 64 * 2 ** 10,
  /** Parts of one upload: several times what the largest photo needs. */
  mostParts: 400,
  /** The first bytes of a photo, which tell its kind. */
  kindBytes: 8
} as const

export const sentVideoLimits = {
  /** Two minutes in the ordinary quality of a telephone. The whole video is in memory while it is looked at. */
  largestBytes: 100 * 2 ** 20,
  /** One part of an upload: small enough to be sent again over a bad connection. */
  largestPartBytes: 2 ** 20,
  /** One part as our own page sends it: seven seconds of a line of 40 kilobytes a second. */
  sentPartBytes: 256 * 2 ** 10,
  /** Parts of one upload: many more than the largest video needs, so that a customer may send smaller ones. */
  mostParts: 1000,
  longestSeconds: 120,
  /** One frame: what 4K cameras make, and a little more. Decoding takes memory for each pixel. */
  mostFramePixels: 9_000_000,
  /** The first bytes of a video, which tell its kind. */
  kindBytes: 12
} as const
