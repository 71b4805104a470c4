/** Whether the journal of what has ended can be read, line by line. A start refuses one that it cannot read (`erasures/replay.ts`). */
import { Effect, Schema } from "effect"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { JournalLine, journalFileEnding } from "../erasures/journalLine.ts"
import { groupsOf } from "../erasures/replay.ts"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import type { GivenSettings } from "../settings/Settings.ts"

const name = "journal of what has ended"

const isLine = (text: string): boolean => Schema.decodeUnknownOption(JournalLine)(text)._tag === "Some"

const isWhole = async (path: string): Promise<boolean> => {
  const { size } = await Fs.stat(path)
  if (size === 0) return true
  for await (const { lines } of groupsOf(path, 0, size)) if (!lines.every(isLine)) return false
  return true
}

const foundIn = async (folder: string): Promise<Finding> => {
  // The first start makes it.
  const names = await Fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []
    throw error
  })
  const files = names.filter((file) => file.endsWith(journalFileEnding))
  const spoiled: Array<string> = []
  for (const file of files) if (!(await isWhole(Path.join(folder, file)))) spoiled.push(file)
  return spoiled.length === 0
    ? well(name, `its files can be read: ${files.length}`)
    : wrong(name, `has lines that are none of it, in ${spoiled.join(", ")}`, "restore these files of ERASURE_JOURNAL")
}

export const journalAnswers = ({ erasureJournal: folder }: GivenSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  folder === undefined
    ? Effect.succeed([])
    : Effect.tryPromise(() => foundIn(folder)).pipe(
        Effect.catch(({ cause }) =>
          Effect.succeed(
            wrong(name, `cannot be read: ${String(cause)}`, "let the service read and write ERASURE_JOURNAL")
          )
        ),
        Effect.map((found) => [found])
      )
