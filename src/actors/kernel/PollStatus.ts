/** Looks that come every second or so: what keeps them from seeing is said when it begins and when it ends, not each time. */
import { type Cause, Effect } from "effect"

export interface PollStatus {
  /** A look saw what there is. */
  readonly clear: Effect.Effect<void>
  readonly blind: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

/** `what`: the subject of the sentence, in the plural, such as `Alarms`. */
export const pollStatusOf = (what: string): PollStatus => {
  let isClear = true
  const changed = (to: boolean, told: Effect.Effect<void>) =>
    Effect.suspend(() => {
      if (isClear === to) return Effect.void
      isClear = to
      return told
    })
  return {
    clear: changed(true, Effect.logInfo(`${what} can be looked at again`)),
    blind: (cause) => changed(false, Effect.logWarning(`${what} cannot be looked at`, cause))
  }
}
