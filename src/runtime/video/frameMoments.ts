/**
 * The moments of a video at which frames are taken. The process that reads a video uses it, and so does whoever must name the
 * moments before the frames are taken. It may import nothing but this folder.
 */

/** In milliseconds, spread over a video. The last frame is shown at `seconds`, so the middle of each of these parts has a frame. */
export const momentsIn = (seconds: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, part) => Math.floor((seconds * 1000 * (part + 0.5)) / count))
