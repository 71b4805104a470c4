/** The waits of `listen` for the service and for the local server: from a second on, doubling, to half a minute. */
import { listenLimits } from "../lib/limits.ts"

/** Milliseconds before an attempt is repeated for the first time, the second time, and so on. */
export const pauseBefore = (repetition: number): number =>
  Math.min(listenLimits.longestPauseMillis, listenLimits.shortestPauseMillis * 2 ** (repetition - 1))
