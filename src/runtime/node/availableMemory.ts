/** The memory that this process may use: its machine's, or less where its container is allowed less. */
import { totalmem } from "node:os"

/** Bytes. Without a limit of a container the number of the process is 0, or larger than all memory. */
export const availableMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
