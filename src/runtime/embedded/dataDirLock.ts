/**
 * Lets one service at a time use a data folder. The lock is an exclusive transaction on an empty SQLite file: this is
 * the portable way in Node to hold a lock that the kernel releases when its holder dies. A file with a process id would
 * outlive a kill -9, and the id may belong to another process by then.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { fileProblem } from "../files/fileProblem.ts"

const sqliteBusy = 5

/** Holds the lock until the scope closes. Fails at once when another service holds it. */
export const holdDataDir = (dataDir: string): Effect.Effect<void, EmbeddedPostgresError, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({ try: () => lock(Path.join(dataDir, "service.lock")), catch: (cause) => refusal(dataDir, cause) }),
      (held) => Effect.sync(() => held.close())
    )
  )

const lock = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec("BEGIN EXCLUSIVE")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const refusal = (dataDir: string, cause: unknown): EmbeddedPostgresError =>
  new EmbeddedPostgresError({
    message:
      cause instanceof Error && "errcode" in cause && cause.errcode === sqliteBusy
        ? `${dataDir} is in use by another running service: stop it, or give this one another DATA_DIR`
        : `${dataDir} cannot be locked: ${fileProblem(cause)}`
  })
