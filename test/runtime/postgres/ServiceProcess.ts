/** Starts `embeddedService.ts` as a process of its own, which a test can talk to, wait for and kill. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { createInterface } from "node:readline"

interface Options {
  readonly uid?: number
  readonly gid?: number
}

interface Answer {
  readonly url?: string
  readonly error?: string
}

export interface ServiceProcess {
  /** What it printed: the URL, or why there is none. */
  readonly answer: Effect.Effect<Answer>
  /** Lets it end by itself, and waits. */
  readonly end: Effect.Effect<void>
  /** kill -9, and waits. */
  readonly kill: Effect.Effect<void>
}

const script = Path.join(import.meta.dirname, "embeddedService.ts")

export const startService = (dataDir: string, options: Options = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [script, dataDir], { ...options, stdio: ["pipe", "pipe", "inherit"] })),
      (child) =>
        Effect.andThen(
          Effect.sync(() => child.stdin.end()),
          hasExited(child)
        )
    ),
    (child): ServiceProcess => {
      const lines = createInterface({ input: child.stdout })
      const first = new Promise<Answer>((resolve) => {
        lines.once("line", (line) => resolve(JSON.parse(line) as Answer))
        lines.once("close", () => resolve({ error: "ended without an answer" }))
      })
      return {
        answer: Effect.promise(() => first),
        end: Effect.andThen(
          Effect.sync(() => child.stdin.end()),
          hasExited(child)
        ),
        kill: Effect.andThen(
          Effect.sync(() => child.kill("SIGKILL")),
          hasExited(child)
        )
      }
    }
  )

const hasExited = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })

/** A folder of its own for a test, gone afterwards; mode 700, as `mkdtemp` makes it. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "journeys-postgres-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
)

/** The first column of the only row of a statement, on a connection of its own. */
export const ask = (url: string | Redacted.Redacted, statement: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ url: Redacted.isRedacted(url) ? url : Redacted.make(url) })
      const rows = yield* connection.queryValues(statement)
      return rows[0]?.[0]
    })
  )

/** A new database of this name on the server of this URL. */
export const databaseOf = Effect.fnUntraced(function* (server: Redacted.Redacted, name: string, options = "") {
  yield* ask(server, `CREATE DATABASE ${name} ${options}`)
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
})
