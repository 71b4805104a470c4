/**
 * Whether a poll works. A poll that comes every second or so logs one line when it begins to fail and one line when it
 * works again, instead of a line each time. The poll itself is not in this file.
 */
import { type Cause, Effect } from "effect"

export interface PollStatus {
  /** The poll worked. */
  readonly ok: Effect.Effect<void>
  readonly failed: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

/** `what` is the subject of the log line, in the plural, such as `Alarms`. */
export const pollStatusOf = (what: string): PollStatus => {
  let isOk = true
  const changed = (to: boolean, line: Effect.Effect<void>) =>
    Effect.suspend(() => {
      if (isOk === to) return Effect.void
      isOk = to
      return line
    })
  return {
    ok: changed(true, Effect.logInfo(`${what} can be looked at again`)),
    failed: (cause) => changed(false, Effect.logWarning(`${what} cannot be looked at`, cause))
  }
}
