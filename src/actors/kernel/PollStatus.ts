/**
 * Whether a poll works. A poll that comes every second or so logs one line when it begins to fail and one line when it
 * works again, instead of a line each time. The poll itself is not in this file.
 */
import { type Cause, Effect } from "effect"
import { troubleNews } from "./troubleNews.ts"

export interface PollStatus {
  /** The poll worked. */
  readonly ok: Effect.Effect<void>
  readonly failed: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

/** `what` is the subject of the log line, in the plural, such as `Alarms`. */
export const pollStatusOf = (what: string): PollStatus =>
  troubleNews({
    ok: Effect.logInfo(`${what} can be looked at again`),
    failed: (cause: Cause.Cause<unknown>) => Effect.logWarning(`${what} cannot be looked at`, cause)
  })
