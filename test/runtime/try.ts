import * as Effect from "effect/Effect"
import * as Duration from "effect/Duration"
import * as Fs from "node:fs"
import * as EP from "../../src/runtime/postgres/EmbeddedPostgres.ts"
import * as Database from "../../src/runtime/postgres/Database.ts"
import { SqlClient } from "effect/sql/SqlClient"
import { waitUntil } from "../../src/runtime/postgres/waitUntil.ts"
const mode = process.argv[2]
for (let i = 0; i < 40; i++) {
  let t = 0
  await Effect.runPromise(Effect.scoped(Effect.gen(function*(){
    const {url} = yield* EP.start("/tmp/jt2")
    yield* Effect.gen(function*(){
      const sql = yield* SqlClient
      if (mode === "kill") {
        const connection = yield* sql.reserve
        const [[pid] = []] = yield* connection.executeValues("SELECT pg_backend_pid()", [])
        process.kill(Number(pid), "SIGKILL")
        yield* waitUntil(Effect.match(sql`SELECT 1`, { onFailure: () => false, onSuccess: () => true }), Duration.seconds(20))
      } else yield* sql`SELECT 1`
    }).pipe(Effect.scoped, Effect.provide(Database.layerOf(url, [])))
    t = performance.now()
  })))
  const ms = performance.now() - t
  if (ms > 3000) { console.log(i, "slow stop", ms); console.log(Fs.readFileSync("/tmp/jt2/postgres.log", "utf8")) }
}
console.log("done")
