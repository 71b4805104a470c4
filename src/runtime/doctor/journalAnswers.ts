/**
 * Whether the journal of what has ended can be written, and can be read line by line. A start refuses one of which either is not so
 * (`erasures/replay.ts`).
 */
import { Effect, Schema } from "effect"
import * as Path from "node:path"
import { filesOf, folderCure, strayCure, strayFilesOf, strayNames, tryFolder } from "../erasures/journalFolder.ts"
import { JournalLine } from "../erasures/journalLine.ts"
import { groupsOf } from "../erasures/replay.ts"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import type { GivenSettings } from "../settings/Settings.ts"
import { fileProblem } from "../files/fileProblem.ts"

const name = "journal of what has ended"

const isLine = (text: string): boolean => Schema.decodeOption(JournalLine)(text)._tag === "Some"

const isWhole = async (path: string, size: number): Promise<boolean> => {
  if (size === 0) return true
  for await (const { lines } of groupsOf(path, 0, size)) if (!lines.every(isLine)) return false
  return true
}

const refused = (problem: string) => (cause: unknown) => wrong(name, `${problem}: ${fileProblem(cause)}`, folderCure)

const readIn = async (folder: string): Promise<Finding> => {
  const files = await filesOf(folder)
  const stray = await strayFilesOf(folder, files)
  if (stray.length > 0) return wrong(name, `has files that are not read: ${strayNames(stray)}`, strayCure)
  const spoiled: Array<string> = []
  for (const file of files) if (!(await isWhole(Path.join(folder, file.name), file.size))) spoiled.push(file.name)
  return spoiled.length === 0
    ? well(name, `it can be written, and its files can be read: ${files.length}`)
    : wrong(name, `has lines that are none of it, in ${spoiled.join(", ")}`, "restore these files of ERASURE_JOURNAL")
}

const foundIn = async (folder: string): Promise<Finding> => {
  const stands = await tryFolder(folder).catch(refused("cannot be written"))
  if (typeof stands === "object") return stands
  if (stands === "MISSING") return well(name, "it is not there yet: the first start makes it")
  return readIn(folder).catch(refused("cannot be read"))
}

export const journalAnswers = ({ erasureJournal: folder }: GivenSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  folder === undefined
    ? Effect.succeed([])
    : Effect.map(
        Effect.promise(() => foundIn(folder)),
        (found) => [found]
      )
