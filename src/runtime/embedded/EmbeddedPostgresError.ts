/**
 * Why the embedded PostgreSQL could not be started, as one line that says what to do. This error always ends the start.
 */
import * as Data from "effect/Data"

export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}
