/** Backups of the database of a test: what a restore would bring back, as a database beside it. A test needs the folder of the journal, too. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

/** A copy of a database that nobody uses at the moment: what a backup would bring back. */
export const backupOf = async (url: string): Promise<string> => {
  const copy = new URL(url)
  copy.pathname = `${copy.pathname}_backup`
  const statement = `create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`
  await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(inject("postgresUrl")) }))
      )
    )
  )
  return copy.href
}
