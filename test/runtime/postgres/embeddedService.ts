/**
 * A process that does nothing but keep an embedded PostgreSQL on the folder it is given: what the tests start as another
 * user, start twice, and kill. Prints one JSON object once it is up or has failed; ends when its input does.
 */
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../../src/runtime/embedded/EmbeddedPostgres.ts"

const print = (answer: object) => Effect.sync(() => process.stdout.write(`${JSON.stringify(answer)}\n`))

const inputEnds = Effect.callback<void>((resume) => {
  process.stdin.once("end", () => resume(Effect.void))
  process.stdin.resume()
})

await Effect.runPromise(
  EmbeddedPostgres.start(process.argv[2] ?? "").pipe(
    Effect.flatMap(({ url }) => Effect.andThen(print({ url: Redacted.value(url) }), inputEnds)),
    Effect.scoped,
    Effect.catchTag("EmbeddedPostgresError", (error) => print({ error: error.message }))
  )
)
process.stdin.destroy()
