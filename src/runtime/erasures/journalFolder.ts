/**
 * The folder of the journal of what has ended: whether this process may write it, and which files stand in it. The start
 * (`replay.ts`) and `journeys doctor` judge by this file, so both say the same of a folder.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { isMissing, makeFolders, takingFolders } from "../files/makeFolders.ts"
import { journalFileEnding } from "./journalLine.ts"
import { replayLimits } from "./limits.ts"

/** What to do where a start or `journeys doctor` refuses the folder. */
export const folderCure =
  "name in ERASURE_JOURNAL a folder of a disk that the service may make, read and write, such as /var/lib/journeys-ended"

const mayWrite = (folder: string): Promise<void> => Fs.access(folder, Fs.constants.W_OK | Fs.constants.X_OK)

/** The folder is made, so that a start shows whether it can be. */
export const makeFolder = async (folder: string): Promise<void> => {
  await makeFolders(folder)
  await mayWrite(folder)
}

/**
 * Fails where `makeFolder` would, and leaves nothing behind. Rights alone do not say whether a folder can be made: root has every
 * right in file systems that take no folder. So one with another name is made in the nearest parent and removed at once.
 */
export const tryFolder = async (folder: string): Promise<"THERE" | "MISSING"> => {
  if (!(await isMissing(folder))) {
    await mayWrite(folder)
    return "THERE"
  }
  let parent = Path.dirname(folder)
  while (await isMissing(parent)) parent = Path.dirname(parent)
  const above = parent
  await Fs.rmdir(await takingFolders(above, () => Fs.mkdtemp(Path.join(above, ".journeys-doctor-"))))
  return "MISSING"
}

/** The files of the folder with their sizes, the oldest first. */
export const filesOf = async (folder: string) => {
  const names = (await Fs.readdir(folder)).filter((name) => name.endsWith(journalFileEnding)).toSorted()
  if (names.length > replayLimits.mostFiles) throw new Error(`more than ${replayLimits.mostFiles} files`)
  return Promise.all(names.map(async (name) => ({ name, size: (await Fs.stat(Path.join(folder, name))).size })))
}

/** Folders in it, too, as far as this process may look into them. */
const namesBelow = (folder: string): Promise<ReadonlyArray<string>> =>
  Fs.readdir(folder, { recursive: true }).catch(() => Fs.readdir(folder))

/**
 * Files of the journal beside `files`, which are read: nobody would read them, and no other file holds their lines. Such are a folder that
 * was copied into itself, and files that are still packed. A restored database would bring back what they end.
 */
export const strayFilesOf = async (
  folder: string,
  files: ReadonlyArray<{ readonly name: string }>
): Promise<ReadonlyArray<string>> => {
  const read = new Set(files.map(({ name }) => name))
  return (await namesBelow(folder)).filter((path) => {
    const name = Path.basename(path)
    const end = name.indexOf(journalFileEnding)
    return end >= 0 && !read.has(name.slice(0, end + journalFileEnding.length))
  })
}

/** The first of them, and how many more. */
export const strayNames = ([first = "", ...more]: ReadonlyArray<string>): string =>
  more.length === 0 ? first : `${first} and ${more.length} more`

export const strayCure =
  "unpack these files and put them into the folder itself, under the names with which they were written"
