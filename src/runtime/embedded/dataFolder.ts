/**
 * The folder PostgreSQL keeps its data in, `DATA_DIR/postgres`: made by `initdb` beside its place and then renamed, so
 * that one that stands there is whole, and a start killed half-way leaves only rubbish that the next one sweeps up. The
 * server's password lies in the folder, because neither is of use without the other.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { ServerPrograms } from "./serverPrograms.ts"
import { embeddedLimits } from "./limits.ts"

export interface DataFolder {
  /** Absolute, without links: the way it appears in the server's command line. */
  readonly path: string
  readonly password: Redacted.Redacted
}

export const superuser = "journeys"

/** What `initdb` of the installed package writes into PG_VERSION, and `postgres` insists on. */
const majorVersion = "18"

const passwordFile = "journeys.password"
const unfinishedPrefix = "postgres.unfinished-"

/** Only for the holder of the data folder's lock: it removes what a killed start left behind. */
export const dataFolder = Effect.fn("dataFolder")(function* (
  dataDir: string,
  programs: ServerPrograms
): Effect.fn.Return<DataFolder, EmbeddedPostgresError> {
  const path = Path.join(dataDir, "postgres")
  const failed = (cause: unknown) =>
    new EmbeddedPostgresError({ message: `${path} cannot be prepared: ${String(cause)}` })
  const attempt = <A>(what: () => Promise<A>) => Effect.tryPromise({ try: what, catch: failed })

  yield* attempt(() => removeUnfinished(dataDir))
  if (!(yield* attempt(() => exists(path)))) {
    yield* Effect.uninterruptible(attempt(() => initialise(dataDir, path, programs)))
  }

  const version = (yield* attempt(() => Fs.readFile(Path.join(path, "PG_VERSION"), "utf8"))).trim()
  if (version !== majorVersion) {
    return yield* new EmbeddedPostgresError({
      message: `${path} was written by PostgreSQL ${version} and the embedded one is ${majorVersion}: dump it with a PostgreSQL ${version} and load the dump, or set DATABASE_URL to one that serves it`
    })
  }
  const password = yield* attempt(() => Fs.readFile(Path.join(path, passwordFile), "utf8"))
  return { path, password: Redacted.make(password.trim()) }
})

const removeUnfinished = async (dataDir: string): Promise<void> => {
  const names = await Fs.readdir(dataDir)
  await Promise.all(
    names
      .filter((name) => name.startsWith(unfinishedPrefix))
      // An `initdb` that outlived its service may still be writing there, until it misses its files.
      .map((name) =>
        Fs.rm(Path.join(dataDir, name), {
          recursive: true,
          force: true,
          maxRetries: embeddedLimits.mostRemovalTries,
          retryDelay: embeddedLimits.removalRetryMillis
        })
      )
  )
}

const initialise = async (dataDir: string, path: string, programs: ServerPrograms): Promise<void> => {
  const unfinished = await Fs.mkdtemp(Path.join(dataDir, unfinishedPrefix))
  try {
    await programs.own(unfinished)
    const password = Path.join(unfinished, passwordFile)
    await Fs.writeFile(password, randomBytes(embeddedLimits.passwordBytes).toString("hex"), {
      mode: 0o600,
      flush: true
    })
    await programs.own(password)
    const data = Path.join(unfinished, "data")
    await initdb(programs, data, password)
    await Fs.rename(password, Path.join(data, passwordFile))
    await Fs.rename(data, path)
    await syncFolder(dataDir)
  } finally {
    await Fs.rm(unfinished, { recursive: true, force: true })
  }
}

const initdb = (programs: ServerPrograms, data: string, password: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = programs.spawn(
      "initdb",
      [
        `--pgdata=${data}`,
        `--username=${superuser}`,
        `--pwfile=${password}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // Sorting by code point and case rules of Unicode, from PostgreSQL itself: a library's collations change with
        // the machine, and an index sorted by the old ones is then wrong.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions"
      ],
      ["ignore", "ignore", "pipe"]
    )
    let complaint = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint += chunk.toString("utf8")
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb ended with ${code ?? "a signal"}: ${complaint.trim().split("\n").join("; ")}`))
    })
  })

/** Makes the rename itself survive a power cut. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await Fs.open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const exists = (path: string): Promise<boolean> =>
  Fs.access(path).then(
    () => true,
    () => false
  )
