/**
 * The journal of what has ended, in files of a folder. Each process writes a file of its own and only adds to it, so nodes can share
 * the folder. A line is on the disk (fsync) when the append answers. After a failure the process begins another file: the last line
 * of a file may be torn, and no other. Without a folder nothing is written. When the journal is read is decided in `replay.ts`.
 */
import { Clock, Effect, Layer, Schema, Semaphore } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { ErasureJournal, noJournal } from "../../actors/erasure/ErasureJournal.ts"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { timestamp } from "../../schema/moment.ts"
import { makeFolders } from "../files/makeFolders.ts"
import { Settings } from "../settings/Settings.ts"
import { JournalLine, journalFileEnding } from "./journalLine.ts"

const encode = Schema.encodeSync(JournalLine)

const synced = async (path: string): Promise<void> => {
  const handle = await Fs.open(path)
  await handle.sync().finally(() => handle.close())
}

const addTo = async (file: string, text: string, isNew: boolean): Promise<void> => {
  await makeFolders(Path.dirname(file))
  await Fs.appendFile(file, text, { mode: 0o600, flush: true })
  if (isNew) await synced(Path.dirname(file))
}

export const layer = Layer.effect(
  ErasureJournal,
  Effect.gen(function* () {
    const { erasureJournal } = yield* Settings
    if (erasureJournal === undefined) return noJournal
    const turn = yield* Semaphore.make(1)
    let file: string | null = null
    let unwritten: ReadonlyArray<string> = []
    /** How many lines were ever asked for, and how many of them are written: lines that come while others are written go together. */
    let asked = 0
    let written = 0

    const write = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const begun = file
      const lines = unwritten
      const name = `${timestamp(now).replaceAll(":", "")}-${randomBytes(6).toString("hex")}${journalFileEnding}`
      const path = begun ?? Path.join(erasureJournal, name)
      file = null
      yield* Effect.tryPromise({
        try: () => addTo(path, lines.join(""), begun === null),
        catch: (cause) => new StoreUnavailable({ cause })
      })
      file = path
      unwritten = unwritten.slice(lines.length)
      written += lines.length
    }).pipe(
      Effect.tapError((error) => Effect.logError("The journal of erasures cannot be written", error.cause)),
      Effect.uninterruptible
    )

    return ErasureJournal.of({
      append: Effect.fnUntraced(function* (things) {
        if (things.length === 0) return
        const at = timestamp(yield* Clock.currentTimeMillis)
        unwritten = [...unwritten, ...things.map((thing) => `${encode({ at, ...thing })}\n`)]
        const upTo = (asked += things.length)
        yield* turn.withPermits(1)(Effect.suspend(() => (written < upTo ? write : Effect.void)))
      })
    })
  })
)
