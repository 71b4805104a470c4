/**
 * The journal of what has ended, in files of a folder. Each process writes a file of its own and only adds to it, so nodes can share
 * the folder. A line is on the disk (fsync) when the append answers. What a failed append has written is cut off again, and the file goes
 * on; where it cannot be cut off, the process begins another file: the last line of a file may be torn, and no other. Without a folder
 * nothing is written. When the journal is read is decided in `replay.ts`.
 */
import { Clock, Data, Effect, Layer, Schema, Semaphore } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { ErasureJournal, noJournal } from "../../actors/erasure/ErasureJournal.ts"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { troubleNews } from "../../actors/kernel/troubleNews.ts"
import { timestamp } from "../../schema/moment.ts"
import { makeFolders } from "../files/makeFolders.ts"
import { Settings } from "../settings/Settings.ts"
import { JournalLine, journalFileEnding } from "./journalLine.ts"
import { journalLimits } from "./limits.ts"

const encode = Schema.encodeSync(JournalLine)

const synced = async (path: string): Promise<void> => {
  const handle = await Fs.open(path)
  await handle.sync().finally(() => handle.close())
}

/** What a failed append has written stands in the file still. */
class Torn extends Data.TaggedError("Torn")<{ readonly cause: unknown }> {}

/** Leaves a file as long as it was when it cannot take the text: each try on a full disk would make a file otherwise. */
const addTo = async (file: string, text: string): Promise<void> => {
  await makeFolders(Path.dirname(file))
  const handle = await Fs.open(file, "a", 0o600)
  try {
    const { size } = await handle.stat()
    try {
      await handle.writeFile(text)
      await handle.sync()
      if (size === 0) await synced(Path.dirname(file))
    } catch (cause) {
      const written = await handle.stat()
      if (written.size !== size) {
        await handle.truncate(size).catch(() => {
          throw new Torn({ cause })
        })
      }
      throw cause
    }
  } finally {
    await handle.close()
  }
}

export const layer = Layer.effect(
  ErasureJournal,
  Effect.gen(function* () {
    const { erasureJournal } = yield* Settings
    if (erasureJournal === undefined) return noJournal
    const turn = yield* Semaphore.make(1)
    const news = troubleNews({
      ok: Effect.logInfo("The journal of erasures is written again, with what waited"),
      failed: (cause: unknown) => Effect.logError("The journal of erasures cannot be written", cause)
    })
    let file: string | null = null
    const unwritten: Array<string> = []
    /** How many lines were ever taken, and how many of them are written: lines that come while others are written go together. */
    let taken = 0
    let written = 0

    const writeSome = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const lines = unwritten.slice(0, journalLimits.linesAtOnce)
      const name = `${timestamp(now).replaceAll(":", "")}-${randomBytes(6).toString("hex")}${journalFileEnding}`
      const path = (file ??= Path.join(erasureJournal, name))
      yield* Effect.tryPromise({
        try: () => addTo(path, lines.join("")),
        catch: (cause) => {
          if (cause instanceof Torn) file = null
          return new StoreUnavailable({ cause })
        }
      })
      unwritten.splice(0, lines.length)
      written += lines.length
      yield* news.ok
    }).pipe(
      Effect.tapError(({ cause }) => news.failed(cause)),
      Effect.uninterruptible
    )

    return ErasureJournal.of({
      append: Effect.fnUntraced(function* (things) {
        if (things.length === 0) return
        // What cannot be kept until it is written is not taken, and its writer is told.
        const isFull = unwritten.length + things.length > journalLimits.mostUnwritten
        if (!isFull) {
          const at = timestamp(yield* Clock.currentTimeMillis)
          for (const thing of things) unwritten.push(`${encode({ at, ...thing })}\n`)
          taken += things.length
        }
        const upTo = taken
        yield* turn.withPermits(1)(
          Effect.whileLoop({ while: () => written < upTo, body: () => writeSome, step: () => {} })
        )
        if (isFull) return yield* new StoreUnavailable({ cause: "too many lines wait for the journal" })
      })
    })
  })
)
