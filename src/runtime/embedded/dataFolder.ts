/**
 * The folder with PostgreSQL's data, `DATA_DIR/postgres`. `initdb` makes it under another name, and it is then renamed,
 * so a folder with the right name is always whole. A start that was killed half-way leaves an unfinished folder, and
 * the next start removes it. The server's password lies inside the folder, because neither is of use without the other.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { ServerPrograms } from "./serverPrograms.ts"
import { embeddedLimits } from "./limits.ts"
import { fileProblem } from "../files/fileProblem.ts"

export interface DataFolder {
  /** An absolute path without links, exactly as it appears in the command line of the server. */
  readonly path: string
  readonly password: Redacted.Redacted
}

export const superuser = "journeys"

/** The version that `initdb` of the installed package writes into PG_VERSION, and that `postgres` insists on. */
const majorVersion = "18"

const passwordFile = "journeys.password"
const unfinishedPrefix = "postgres.unfinished-"

/** Only the holder of the folder's lock may call this: it removes what a killed start left behind. */
export const dataFolder = Effect.fn("dataFolder")(function* (
  dataDir: string,
  programs: ServerPrograms
): Effect.fn.Return<DataFolder, EmbeddedPostgresError> {
  const path = Path.join(dataDir, "postgres")
  const failed = (cause: unknown) =>
    new EmbeddedPostgresError({ message: `${path} cannot be prepared: ${fileProblem(cause)}` })
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
      // An `initdb` that outlived its service may still write there until it misses its files.
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
        // Text is sorted by code point, and case follows Unicode, both from PostgreSQL itself. The collations of a
        // library change with the machine, and an index that was sorted by the old ones is then wrong.
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

/** Without this the rename itself might not survive a power cut. */
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
