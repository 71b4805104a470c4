/**
 * A PostgreSQL of our own under `DATA_DIR/postgres`, for a machine that has only Node. The first start makes it; every
 * start of the service starts it, every stop ends it, and it is restarted if it dies in between. A server that a killed
 * service left running is taken over. A second service on the same folder is refused. The server listens on a free port
 * of 127.0.0.1 and asks for a password. Migrations, and the checks that hold for every database, are not the business
 * of this file.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs/promises"
import { type DataFolder, dataFolder, superuser } from "./dataFolder.ts"
import { holdDataDir } from "./dataDirLock.ts"
import { makeFolders } from "../files/makeFolders.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { freePort } from "./freePort.ts"
import { hasEnded, lastWords, launch, type Postmaster, findRunning, stop } from "./postmaster.ts"
import { serverPrograms } from "./serverPrograms.ts"
import { realTime, waitUntil } from "./waitUntil.ts"
import { embeddedLimits } from "./limits.ts"
import { fileProblem } from "../files/fileProblem.ts"

const database = "journeys"

interface Options {
  /** Server settings that replace ours: for tests of an unsafe database. */
  readonly serverSettings?: Readonly<Record<string, string>>
  /** `false` is for tests of a machine that forbids user namespaces. */
  readonly userNamespaces?: boolean
}

/** The server that runs now; `undefined` before the first one. */
interface Server {
  current: Postmaster | undefined
}

/** A database that runs until the scope closes. The URL stays the same however often the server is restarted. */
export const start = Effect.fn("EmbeddedPostgres.start")(function* (
  dataDir: string,
  options: Options = {}
): Effect.fn.Return<{ readonly url: Redacted.Redacted }, EmbeddedPostgresError, Scope.Scope> {
  const directory = yield* privateFolder(dataDir)
  yield* holdDataDir(directory)
  const programs = yield* serverPrograms(directory, options.userNamespaces ?? true)
  const folder = yield* dataFolder(directory, programs)
  const server: Server = { current: undefined }
  yield* Effect.addFinalizer(() => (server.current === undefined ? Effect.void : stop(server.current)))

  const launchAt = (port: number) =>
    launch(folder, programs, port, options.serverSettings ?? {}).pipe(
      Effect.tap((launched) => Effect.sync(() => (server.current = launched))),
      // Uninterruptible, so that the finalizer knows of a server that was launched, whatever happens next.
      Effect.uninterruptible,
      Effect.flatMap((launched) => becomeReady(folder, launched))
    )
  server.current = yield* takeOver(folder)
  if (server.current === undefined) yield* atFreePort(launchAt)
  const { port } = server.current ?? (yield* new EmbeddedPostgresError({ message: "PostgreSQL is gone again" }))
  yield* createDatabase(folder, port)
  yield* Effect.forkScoped(keepRunning(server, launchAt(port)))
  return { url: urlOf(folder, port) }
})

const privateFolder = (dataDir: string) =>
  Effect.tryPromise({
    try: async () => {
      await makeFolders(dataDir)
      return Fs.realpath(dataDir)
    },
    catch: (cause) =>
      new EmbeddedPostgresError({ message: `DATA_DIR ${dataDir} cannot be made: ${fileProblem(cause)}` })
  })

/**
 * Waits for the server that a killed service left behind to answer. `undefined` if there is none, or if it ends
 * meanwhile.
 */
const takeOver = Effect.fnUntraced(function* (
  folder: DataFolder
): Effect.fn.Return<Postmaster | undefined, EmbeddedPostgresError> {
  let found: Postmaster | undefined
  const settled = Effect.gen(function* () {
    found = yield* findRunning(folder)
    return found === undefined || (yield* answers(folder, found.port))
  })
  if (yield* waitUntil(settled, embeddedLimits.readyWithin)) return found
  return yield* new EmbeddedPostgresError({
    message: `a PostgreSQL already runs on ${folder.path} and does not answer: end it (the first line of ${folder.path}/postmaster.pid is its process id) and start again`
  })
})

const atFreePort = <A>(launchAt: (port: number) => Effect.Effect<A, EmbeddedPostgresError>) =>
  Effect.flatMap(freePort, launchAt).pipe(
    Effect.retry({
      times: embeddedLimits.mostPortTries - 1,
      while: (error) => error.message.includes("Address already in use")
    })
  )

const becomeReady = Effect.fnUntraced(function* (
  folder: DataFolder,
  launched: Postmaster
): Effect.fn.Return<void, EmbeddedPostgresError> {
  let ended = false
  const settled = Effect.gen(function* () {
    ended = yield* hasEnded(launched)
    return ended || (yield* answers(folder, launched.port))
  })
  if ((yield* waitUntil(settled, embeddedLimits.readyWithin)) && !ended) return
  yield* stop(launched)
  return yield* new EmbeddedPostgresError({ message: `PostgreSQL did not start: ${yield* lastWords(folder)}` })
})

/** Restarts a server that died. The pool reconnects by itself, but without a server it has nothing to connect to. */
const keepRunning = (server: Server, again: Effect.Effect<void, EmbeddedPostgresError>): Effect.Effect<never> =>
  Effect.gen(function* () {
    yield* Effect.sleep(embeddedLimits.watchEvery)
    if (server.current !== undefined && !(yield* hasEnded(server.current))) return
    yield* Effect.logError("the embedded PostgreSQL ended unexpectedly: starting it again")
    yield* again.pipe(Effect.catchTag("EmbeddedPostgresError", (error) => Effect.logError(error.message)))
  }).pipe(Effect.forever, realTime)

const connect = (folder: DataFolder, port: number) =>
  PgConnection.make({
    host: "127.0.0.1",
    port,
    database: "postgres",
    username: superuser,
    password: folder.password,
    applicationName: "journeys-start",
    connectTimeout: embeddedLimits.connectWithin
  })

/**
 * Whether the server at this port accepts our password, proves that it knows the password too, and serves our folder.
 */
const answers = (folder: DataFolder, port: number): Effect.Effect<boolean> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* connect(folder, port)
      const result = yield* connection.query("SHOW data_directory")
      return result.rows[0]?.["data_directory"] === folder.path
    })
    // A refused connection, a server that still starts, and another program's server all mean "not yet". The wait is
    // bounded.
  ).pipe(Effect.orElseSucceed(() => false))

const createDatabase = (folder: DataFolder, port: number): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* connect(folder, port)
      const found = yield* connection.query("SELECT 1 FROM pg_database WHERE datname = $1", [database])
      if (found.rows.length === 0) yield* connection.query(`CREATE DATABASE ${database}`)
    })
  ).pipe(
    Effect.mapError(
      (cause) => new EmbeddedPostgresError({ message: `the embedded database cannot be made: ${cause.message}` })
    )
  )

const urlOf = (folder: DataFolder, port: number): Redacted.Redacted =>
  Redacted.make(`postgres://${superuser}:${Redacted.value(folder.password)}@127.0.0.1:${port}/${database}`)
