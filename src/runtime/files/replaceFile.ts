/** Writes a file of mode 600 whole or not at all: a reader finds the old text or the new one, even after a crash. */
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { makeFolders } from "./makeFolders.ts"

/** Makes the folder, mode 700, if it does not exist. When it returns, the file and its name are on disk. */
export const replaceFile = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.${randomBytes(8).toString("hex")}`
  const folder = Path.dirname(file)
  await makeFolders(folder)
  try {
    // With `wx` the write fails if somebody has put a link there.
    await Fs.writeFile(temporary, text, { mode: 0o600, flag: "wx", flush: true })
    await Fs.rename(temporary, file)
  } finally {
    await Fs.rm(temporary, { force: true })
  }
  // Windows refuses to sync a folder.
  if (process.platform === "win32") return
  const handle = await Fs.open(folder)
  await handle.sync().finally(() => handle.close())
}
