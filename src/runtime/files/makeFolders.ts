/**
 * Makes a folder and those above it that are missing, mode 700. Node's own `recursive` goes round and round for ever, and takes a core with
 * it, where a parent is there and takes no folders, as in `/proc`: the system then says that the folder is missing, and not that it is refused.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { hasCode } from "./fileProblem.ts"

/** Fails with words of ours where the folder that is to take another one is there, and the system says that it is missing. */
export const takingFolders = async <A>(parent: string, make: () => Promise<A>): Promise<A> => {
  try {
    return await make()
  } catch (cause) {
    if (!hasCode(cause, "ENOENT")) throw cause
    throw new Error(`${parent} takes no folders`, { cause })
  }
}

export const isMissing = (path: string): Promise<boolean> =>
  Fs.lstat(path).then(
    () => false,
    (error: unknown) => {
      if (hasCode(error, "ENOENT")) return true
      throw error
    }
  )

export const makeFolders = async (folder: string): Promise<void> => {
  const parent = Path.dirname(folder)
  if (await isMissing(folder)) {
    if (await isMissing(parent)) await makeFolders(parent)
    await takingFolders(parent, () => Fs.mkdir(folder, { mode: 0o700 })).catch((cause: unknown) => {
      // Another process was faster.
      if (!hasCode(cause, "EEXIST")) throw cause
    })
  }
  if (!(await Fs.stat(folder)).isDirectory()) throw new Error(`${folder} is no folder`)
}
