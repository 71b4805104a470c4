/** How the journal of what has ended is written: lines that come at once go together, and none is lost to a failure. */
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { ErasureJournal } from "../../../src/actors/erasure/ErasureJournal.ts"
import { journalLimits } from "../../../src/runtime/erasures/limits.ts"
import * as FileJournal from "../../../src/runtime/erasures/FileJournal.ts"
import { Settings } from "../../../src/runtime/settings/Settings.ts"

/** The ids of the lines that are on the disk. */
const written = async (folder: string): Promise<ReadonlyArray<string>> => {
  const files: ReadonlyArray<string> = await readdir(folder)
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), "utf8")))
  return texts.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line).journeyId)
}

const withJournal = async (use: (journal: ErasureJournal["Service"], folder: string) => Effect.Effect<void>) => {
  const parent = await mkdtemp(join(tmpdir(), "journeys-journal-"))
  const folder = join(parent, "journal")
  // The journal reads this setting alone.
  const settings = Settings.of({ erasureJournal: folder } as Settings["Service"])
  await Effect.runPromise(
    Effect.flatMap(ErasureJournal, (journal) => use(journal, folder)).pipe(
      Effect.provide(Layer.provide(FileJournal.layer, Layer.succeed(Settings, settings)))
    )
  )
  await rm(parent, { recursive: true, force: true })
}

const journey = (at: number) => ({ what: "JOURNEY" as const, journeyId: `journey ${at}` })
const ids = Array.from({ length: 100 }, (_, at) => `journey ${at}`)

it("each of many lines that come at once is on the disk when its writer is answered, once and in order", () =>
  withJournal((journal, folder) =>
    Effect.gen(function* () {
      yield* Effect.forEach(
        ids,
        (id, at) =>
          Effect.gen(function* () {
            yield* journal.append([journey(at)])
            expect(yield* Effect.promise(() => written(folder))).toContain(id)
          }),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.orDie)
      expect(yield* Effect.promise(() => written(folder))).toEqual(ids)
    })
  ))

it("a line that could not be written goes with the next one, and its writer is told", () =>
  withJournal((journal, folder) =>
    Effect.gen(function* () {
      yield* Effect.promise(() => writeFile(folder, "a file where the folder should be"))
      const failures = yield* Effect.forEach([0, 1], (at) => Effect.flip(journal.append([journey(at)])), {
        concurrency: "unbounded"
      }).pipe(Effect.orDie)
      expect(failures.map(({ _tag }) => _tag)).toEqual(["StoreUnavailable", "StoreUnavailable"])
      yield* Effect.promise(() => rm(folder))
      yield* Effect.orDie(journal.append([journey(2)]))
      expect(yield* Effect.promise(() => written(folder))).toEqual(ids.slice(0, 3))
    })
  ))

it("after a failure the lines go on in the same file", () =>
  withJournal((journal, folder) =>
    Effect.gen(function* () {
      const elsewhere = `${folder} elsewhere`
      yield* Effect.orDie(journal.append([journey(0)]))
      yield* Effect.promise(() => rename(folder, elsewhere))
      yield* Effect.promise(() => writeFile(folder, "a file where the folder should be"))
      yield* Effect.orDie(Effect.flip(journal.append([journey(1)])))
      yield* Effect.promise(() => rm(folder))
      yield* Effect.promise(() => rename(elsewhere, folder))
      yield* Effect.orDie(journal.append([journey(2)]))
      yield* Effect.orDie(journal.append([journey(3)]))
      const files = yield* Effect.promise(() => readdir(folder))
      expect(files).toHaveLength(1)
      const modes = yield* Effect.promise(() => Promise.all(files.map((file) => stat(join(folder, file)))))
      expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600])
      expect(yield* Effect.promise(() => written(folder))).toEqual(ids.slice(0, 4))
    })
  ))

it.skipIf(process.platform !== "linux")("makes no file for each append that a full disk refuses", () =>
  withJournal((journal, folder) =>
    Effect.gen(function* () {
      yield* Effect.orDie(journal.append([journey(0)]))
      const [name = ""] = yield* Effect.promise(() => readdir(folder))
      const file = join(folder, name)
      yield* Effect.promise(() => rename(file, `${folder} aside`))
      yield* Effect.promise(() => symlink("/dev/full", file))
      for (const at of [1, 2, 3]) yield* Effect.orDie(Effect.flip(journal.append([journey(at)])))
      expect(yield* Effect.promise(() => readdir(folder))).toEqual([name])
      yield* Effect.promise(() => rename(`${folder} aside`, file))
      yield* Effect.orDie(journal.append([journey(4)]))
      expect(yield* Effect.promise(() => readdir(folder))).toEqual([name])
      expect(yield* Effect.promise(() => written(folder))).toEqual(ids.slice(0, 5))
    })
  )
)

it("keeps no more lines than fit while it cannot be written, and tells the writers of the others", () =>
  withJournal((journal, folder) =>
    Effect.gen(function* () {
      const many = Array.from({ length: journalLimits.mostUnwritten }, (_, at) => journey(at))
      yield* Effect.promise(() => writeFile(folder, "a file where the folder should be"))
      yield* Effect.orDie(Effect.flip(journal.append(many)))
      yield* Effect.promise(() => rm(folder))
      // It could be written now, but nobody asks for what waits before this line, which there is no room to keep.
      const refused = yield* Effect.orDie(Effect.flip(journal.append([journey(-1)])))
      expect(refused._tag).toBe("StoreUnavailable")
      yield* Effect.orDie(journal.append([journey(many.length)]))
      const lines = yield* Effect.promise(() => written(folder))
      expect([lines.length, lines.at(0), lines.at(-1)]).toEqual([
        many.length + 1,
        "journey 0",
        `journey ${many.length}`
      ])
    })
  ))

/** Appends lines, one after the other, until one is refused. */
const untilRefused = `
import { Effect, Layer } from "effect"
import { ErasureJournal } from "${new URL("../../../src/actors/erasure/ErasureJournal.ts", import.meta.url).href}"
import * as FileJournal from "${new URL("../../../src/runtime/erasures/FileJournal.ts", import.meta.url).href}"
import { Settings } from "${new URL("../../../src/runtime/settings/Settings.ts", import.meta.url).href}"
const appending = Effect.flatMap(ErasureJournal, ({ append }) =>
  Effect.forever(append([{ what: "JOURNEY", journeyId: "journey" }]))
)
const settings = Layer.succeed(Settings, { erasureJournal: process.argv[1] })
const refusal = await Effect.runPromise(Effect.flip(Effect.provide(appending, Layer.provide(FileJournal.layer, settings))))
console.log(refusal._tag)
`

// A line torn in the middle of a file would end every start of a node.
it.skipIf(process.platform !== "linux")("leaves nothing of a line for which the disk has room in part", async () => {
  const folder = await mkdtemp(join(tmpdir(), "journeys-journal-"))
  const smallFiles = 'ulimit -f 1; exec "$0" --input-type=module --eval "$1" "$2"'
  const { stdout } = await promisify(execFile)("sh", ["-c", smallFiles, process.execPath, untilRefused, folder])
  expect(stdout).toContain("StoreUnavailable")
  const [name = "", ...others] = await readdir(folder)
  const text = await readFile(join(folder, name), "utf8")
  expect([others, text.length > 0, text.endsWith("\n")]).toEqual([[], true, true])
  await rm(folder, { recursive: true, force: true })
})
