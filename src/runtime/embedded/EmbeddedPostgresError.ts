/** Why the embedded PostgreSQL could not be started: one line that says what to do. It always ends the start. */
import * as Data from "effect/Data"

export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}
