/** Threads that take seconds of a core come after the others: after the one that answers requests, before all. */
import { platform, setPriority } from "node:os"
import { photoLimits } from "../limits.ts"

/**
 * For the calling thread. Only on Linux: elsewhere it would lower the whole process, which also has to answer the API.
 */
export const lowerPriority = (): void => {
  if (platform() === "linux") setPriority(photoLimits.niceness)
}
