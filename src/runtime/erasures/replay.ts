/**
 * Applies the journal of what has ended before the node opens its port. The database keeps how far it has applied each file; a
 * restored backup says less than the files hold, and the rest is applied again: customers are erased, keys revoked, secrets ended.
 * Every line can be applied any number of times. A line that cannot be read ends the start, because it may be an erasure.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { DatabaseError } from "../postgres/Database.ts"
import { duringStart } from "../postgres/duringStart.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { Settings } from "../settings/Settings.ts"
import { applyLines } from "./applyLines.ts"
import { filesOf, folderCure, makeFolder, strayNames, strayCure, strayFilesOf } from "./journalFolder.ts"
import { JournalLine } from "./journalLine.ts"
import { replayLimits } from "./limits.ts"
import { fileProblem } from "../files/fileProblem.ts"

const MarkRow = rowModel({ file: column.text, applied: column.wholeNumber })

const decode = Schema.decodeUnknownEffect(JournalLine)

const unusable = (problem: string) =>
  new DatabaseError({ message: `the journal of erasures (ERASURE_JOURNAL) ${problem}` })

const trying = <A>(problem: string, work: () => Promise<A>): Effect.Effect<A, DatabaseError> =>
  Effect.tryPromise({ try: work, catch: (cause) => unusable(`${problem}: ${fileProblem(cause)}; ${folderCure}`) })

const reading = <A>(work: () => Promise<A>): Effect.Effect<A, DatabaseError> => trying("cannot be read", work)

/**
 * Where the zeros at the end of a file begin. A machine that loses its power may keep the length of what was written last and not the
 * bytes: nobody was answered before both were on the disk.
 */
const endOfText = async (path: string, from: number, size: number): Promise<number> => {
  const handle = await open(path)
  try {
    const bytes = Buffer.alloc(replayLimits.zerosAtOnce)
    for (let end = size; end > from;) {
      const start = Math.max(from, end - bytes.length)
      const { bytesRead } = await handle.read(bytes, 0, end - start, start)
      const last = bytes.subarray(0, bytesRead).findLastIndex((byte) => byte !== 0)
      if (last >= 0) return start + last + 1
      end = start
    }
    return from
  } finally {
    await handle.close()
  }
}

/**
 * Whole lines from a place on, in groups, and the place after each group; at the end what follows the last line break, without zeros,
 * or null where nothing does.
 */
export async function* groupsOf(file: string, from: number, size: number) {
  const end = await endOfText(file, from, size)
  const zeros = end < size ? "" : null
  if (end === from) return zeros
  const input = createReadStream(file, { start: from, end: end - 1, encoding: "utf8" })
  let group: Array<string> = []
  let at = from
  let rest = zeros
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const after = at + Buffer.byteLength(line) + 1
    if (line.length > replayLimits.longestLineBytes)
      throw new Error(`${Path.basename(file)} has a line that is too long`)
    if (after > end) {
      rest = line
      break
    }
    at = after
    group.push(line)
    if (group.length < replayLimits.linesAtOnce) continue
    yield { lines: group, at }
    group = []
  }
  if (group.length > 0) yield { lines: group, at }
  return rest
}

const markStatement = `
insert into erasure_journal_files as f (file, applied) values ($1, $2)
on conflict (file) do update set applied = excluded.applied where f.applied < excluded.applied`

/**
 * What follows the last line break: a write that a crash cut off and that nobody was answered, or the end of a file that was copied in
 * part. Empty: zeros alone. A line that is whole is applied. The mark stays before it: the rest of the file may come yet.
 */
const replayRest = Effect.fnUntraced(function* (name: string, rest: string) {
  const line = yield* Effect.option(decode(rest))
  if (line._tag === "Some") return yield* applyLines([line.value])
  yield* Effect.logWarning(
    "A file of the journal of erasures ends within a line: if it was copied, copy it again, because what ended last may be missing",
    { file: name }
  )
  return 0
})

const replayFile = Effect.fnUntraced(function* (folder: string, name: string, from: number, size: number) {
  const sql = yield* SqlClient.SqlClient
  const groups = groupsOf(Path.join(folder, name), from, size)
  let applied = 0
  while (true) {
    const next = yield* reading(() => groups.next())
    if (next.done === true) return next.value === null ? applied : applied + (yield* replayRest(name, next.value))
    const lines = yield* Effect.forEach(next.value.lines, (line) =>
      Effect.mapError(decode(line), () => unusable(`has a line in ${name} that is no line of it: restore the file`))
    )
    applied += yield* applyLines(lines)
    yield* sql.unsafe(markStatement, [name, next.value.at])
  }
})

const replayed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { erasureJournal } = yield* Settings
  if (erasureJournal === undefined) return
  yield* trying("cannot be written", () => makeFolder(erasureJournal))
  const files = yield* reading(() => filesOf(erasureJournal))
  const stray = yield* reading(() => strayFilesOf(erasureJournal, files))
  if (stray.length > 0) return yield* unusable(`has files that are not read, ${strayNames(stray)}: ${strayCure}`)
  const marks = new Map(
    (yield* MarkRow.all(sql`select file, applied from erasure_journal_files`)).map(({ applied, file }) => [
      file,
      applied
    ])
  )
  const sizes = new Map(files.map(({ name, size }) => [name, size]))
  const lost = [...marks].filter(([file, applied]) => (sizes.get(file) ?? 0) < applied).length
  if (lost > 0) {
    yield* Effect.logWarning(
      "The journal of erasures is older than the database: a backup that is older than both would bring erased customers back",
      { files: lost, folder: erasureJournal }
    )
  }
  for (const { name, size } of files) {
    const from = marks.get(name) ?? 0
    if (size <= from) continue
    const applied = yield* replayFile(erasureJournal, name, from, size)
    if (applied > 0) {
      yield* Effect.logWarning("The database did not know what had ended, and was told by the journal of erasures", {
        file: name,
        ended: applied
      })
    }
  }
})

export const layer = Layer.effectDiscard(
  replayed.pipe(
    Effect.catchTag("SqlError", duringStart),
    Effect.catchTag(["StoreUnavailable", "CommitUnknown"], () =>
      Effect.fail(new DatabaseError({ message: "the database went away during the start; try again" }))
    )
  )
)
