/**
 * PostgreSQL of one's own for services under test: an embedded server that goes with its folder, one database whose schema is
 * up to date, and copies of that database, because a copy takes a fifth of the time that the migrations take.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as EmbeddedPostgres from "../../src/runtime/embedded/EmbeddedPostgres.ts"
import * as Database from "../../src/runtime/postgres/Database.ts"
import { migrations } from "../../src/runtime/postgres/migrations/all.ts"

export interface OwnDatabases {
  /** The address of the server, with a role that may create databases. */
  readonly url: string
  /** The name of the database with an up-to-date schema and nothing in it. */
  readonly migrated: string
  readonly stop: () => Promise<void>
}

export const startDatabases = async (): Promise<OwnDatabases> => {
  const folder = await mkdtemp(join(tmpdir(), "journeys-test-"))
  const scope = Scope.makeUnsafe()
  // Services of several files share the server, some of them five at once with ten connections each.
  const options = { serverSettings: { max_connections: "200" } }
  const { url } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start(folder, options), scope))
  return {
    url: Redacted.value(url),
    migrated: await migratedDatabase(Redacted.value(url)),
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** A new database on the server, a copy of another; answers its address. */
export const copyOf = async (server: string, template: string): Promise<string> => {
  const name = `test_${randomBytes(6).toString("hex")}`
  await Effect.runPromise(Effect.scoped(created(server, name, template)))
  return addressOf(server, name)
}

const addressOf = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const created = (server: string, name: string, template: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(`create database ${name} encoding 'UTF8' template ${template}`)
  ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(server) })))

/** Nobody stays connected to it: PostgreSQL copies only databases that are not in use. */
const migratedDatabase = async (server: string): Promise<string> => {
  const name = "migrated"
  const migrated = Layer.build(Database.layerOf(Redacted.make(addressOf(server, name)), migrations))
  await Effect.runPromise(Effect.scoped(Effect.andThen(created(server, name, "template0"), migrated)))
  return name
}
