/**
 * The errors of every store: what the caller of a store must tell apart. A store wraps the database's failure once, where
 * the failure enters; nobody needs to import a store in order to name its errors.
 */
import { Data, Schema } from "effect"
import type { JourneyId } from "../../schema/ids.ts"

/** The store cannot be reached, or gave up. Nothing was written. The caller may try again. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly cause: unknown }> {}

/** The connection was lost while a commit was under way: the commit may have happened. Look it up before you answer. */
export class CommitUnknown extends Data.TaggedError("CommitUnknown")<{ readonly cause: unknown }> {}

/** The database went away during a commit and did not come back in time: the commit may have happened. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {}) {}

/** A stored row that this program cannot read. */
export class JourneyUnreadable extends Data.TaggedError("JourneyUnreadable")<{
  readonly journeyId: JourneyId
  readonly cause: unknown
}> {}

/** Sealed bytes that do not open: the key is wrong, the place is wrong, or the bytes are damaged. */
export class Unopenable extends Data.TaggedError("Unopenable")<{ readonly place: string }> {}
