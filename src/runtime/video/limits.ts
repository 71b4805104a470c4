/**
 * The limits of reading a handover video, each with its reason. They are plain numbers with the unit in the name,
 * because the process that reads a video imports this file too, and that process may read no package but FFmpeg.
 */
const mebibyte = 2 ** 20

export const videoLimits = {
  /** From the start of the process to its end. A whole video takes two or three seconds of a core. */
  readMillis: 60_000,
  /** Seconds of a core that the process may use; the system ends it then. */
  coreSeconds: 45,
  /** From the start of the process to the last part of the cleaned video: two or three seconds on a machine with a free core. */
  cleanMillis: 30_000,
  /**
   * How long a customer who waits at their telephone waits for their turn and for the cleaning. Their page counts a request as lost
   * after a minute.
   */
  customerWaitsMillis: 50_000,
  /** How long people who look at a video wait for its frames to be taken; a check that wants to read waits no longer for them. */
  lookMillis: 20_000,
  /** A process takes 200 to 400 MB, most of them for the video and its cleaned copy, and 1 GB at its limits. */
  mostProcesses: 1,
  /** Videos of one company that wait for the process, and of all in one mode. Who waits has at least measured within `measureMillis`, or is tried again. */
  mostWaitingOfOne: 16,
  mostWaiting: 256,
  /** JavaScript's objects in the process. The video and FFmpeg's memory are outside of them. */
  largestHeapMegabytes: 192,
  /** FFmpeg's own memory. A video with the largest frames takes half of it. */
  largestFfmpegBytes: 768 * mebibyte,
  /** The answer of the process. Eight frames take 100 to 400 KB each. */
  largestAnswerBytes: 16 * mebibyte,
  /** The line before what was made: an answer has some hundred bytes there. */
  largestLineBytes: 4096,
  /** A cleaned video is smaller than what was sent, but for its index, which some recordings lack. */
  largestCleanedBytes: 104 * mebibyte,
  /** The process comes after all others for a core; 19 would be the very last. */
  niceness: 10,
  /** Frames that are taken, spread over the video: some of them show the face, and comparing all takes seconds. */
  framesTaken: 8,
  /** Turns of the head are looked for at the beginning of the video: three turns take some eight seconds. */
  turnSeconds: 16,
  /** Frames of that beginning: two a second, and more of a shorter video. A look at each takes a fifth of a second of a core. */
  mostTurnFrames: 32,
  mostTurnFramesPerSecond: 5,
  /** A face of an eighth of this is still large enough. */
  longestTurnFrameSidePixels: 800,
  /** Faces are looked for in a fraction of this. */
  longestFrameSidePixels: 1600,
  /** FFmpeg's scale, 1 (best) to 31: fine enough to tell people apart. */
  frameQuality: 3,
  /** A video at the pace of slow motion has this many frames a second. More frames than the longest such video has are not listed. */
  mostFramesPerSecond: 240
} as const
