/** The text of a file that may not be there yet. A file that is there and cannot be read fails with the system's error. */
import { readFile } from "node:fs/promises"
import { hasCode } from "./fileProblem.ts"

/** Null: there is no file. */
export const readIfThere = (file: string): Promise<string | null> =>
  readFile(file, "utf8").catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT")) return null
    throw cause
  })
