import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "../../../src/runtime/postgres/Database.ts"
import * as EmbeddedPostgres from "../../../src/runtime/embedded/EmbeddedPostgres.ts"
import type { Migration } from "../../../src/runtime/postgres/Migrations.ts"
import { databaseOf, temporaryFolder } from "./ServiceProcess.ts"

class Server extends Context.Service<Server, { readonly url: Redacted.Redacted }>()("test/Server") {
  static readonly layer = Layer.effect(Server, Effect.flatMap(temporaryFolder, EmbeddedPostgres.start))
}

/** A database of its own. */
const database = (name: string) => Effect.flatMap(Server, ({ url }) => databaseOf(url, name))

const first: Migration = {
  id: 1,
  name: "cars",
  sql: `
    create table cars (id integer primary key, name text not null);
    insert into cars values (1, 'a $migration$ within');
    create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
    create index cars_name on cars (name); -- and a comment at the end`
}
const second: Migration = { id: 2, name: "colours", sql: "alter table cars add column colour text" }
const broken: Migration = { id: 2, name: "broken", sql: "create table half (a int); select no_such_function()" }

const withDatabase = <A, E, R>(
  url: Redacted.Redacted,
  migrations: ReadonlyArray<Migration>,
  effect: Effect.Effect<A, E, R>
) => effect.pipe(Effect.provide(Database.layerOf(url, migrations), { local: true }))

const applied = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ readonly id: number; readonly name: string }>`SELECT id, name FROM migrations ORDER BY id`
})

describe("Migrations", () => {
  layer(Server.layer, { timeout: 60_000 })((it) => {
    it.effect("run once each, in order, whole scripts at a time", () =>
      Effect.gen(function* () {
        const url = yield* database("in_order")
        assert.deepStrictEqual(yield* withDatabase(url, [first], applied), [{ id: 1, name: "cars" }])
        const both = [
          { id: 1, name: "cars" },
          { id: 2, name: "colours" }
        ]
        assert.deepStrictEqual(yield* withDatabase(url, [first, second], applied), both)
        assert.deepStrictEqual(yield* withDatabase(url, [first, second], applied), both)
      })
    )

    it.effect("run once when several processes start together", () =>
      Effect.gen(function* () {
        const url = yield* database("together")
        const slow = { ...first, sql: `${first.sql}\n; select pg_sleep(0.2)` }
        const starts = Array.from({ length: 4 }, () => withDatabase(url, [slow, second], applied))
        const results = yield* Effect.all(starts, { concurrency: "unbounded" })
        for (const rows of results) assert.strictEqual(rows.length, 2)
      })
    )

    it.effect("leave nothing of one that fails, and keep those before it", () =>
      Effect.gen(function* () {
        const url = yield* database("broken")
        const error = yield* Effect.flip(withDatabase(url, [first, broken], Effect.void))
        assert.strictEqual(error._tag, "MigrationError")
        assert.strictEqual(error.message, "migration 2 (broken) failed: function no_such_function() does not exist")
        const half = Effect.flatMap(SqlClient, (sql) => sql`SELECT to_regclass('half')::text AS half`)
        assert.deepStrictEqual(yield* withDatabase(url, [first], half), [{ half: null }])
        assert.strictEqual((yield* withDatabase(url, [first, second], applied)).length, 2)
      })
    )

    it.effect("refuse a database that a newer version has migrated", () =>
      Effect.gen(function* () {
        const url = yield* database("newer")
        yield* withDatabase(url, [first, second], Effect.void)
        const error = yield* Effect.flip(withDatabase(url, [first], Effect.void))
        assert.strictEqual(
          error.message,
          "the database has migration 2 (colours), which this version does not know: run the newer version that made it"
        )
      })
    )

    it.effect("refuse a database of another line, and numbers with gaps", () =>
      Effect.gen(function* () {
        const url = yield* database("other_line")
        yield* withDatabase(url, [first], Effect.void)
        const renamed = yield* Effect.flip(withDatabase(url, [{ ...first, name: "boats" }], Effect.void))
        assert.include(renamed.message, "migration 1 is cars in the database and boats in this version")
        const gap = yield* Effect.flip(withDatabase(url, [first, { ...second, id: 3 }], Effect.void))
        assert.include(gap.message, "numbered from 1 without gaps")
      })
    )
  })
})
