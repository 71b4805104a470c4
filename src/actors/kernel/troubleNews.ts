/** One line of the log when something begins to fail, and one when it works again, instead of a line each time. */
import { Effect } from "effect"

interface Lines<Cause extends ReadonlyArray<unknown>> {
  readonly ok: Effect.Effect<void>
  readonly failed: (...cause: Cause) => Effect.Effect<void>
}

/** The same, to be run each time that it works or fails: only the first of several alike says its line. At first it works. */
export const troubleNews = <Cause extends ReadonlyArray<unknown>>({ failed, ok }: Lines<Cause>): Lines<Cause> => {
  let isOk = true
  const changed = (to: boolean, line: Effect.Effect<void>) =>
    Effect.suspend(() => {
      if (isOk === to) return Effect.void
      isOk = to
      return line
    })
  return { ok: changed(true, ok), failed: (...cause) => changed(false, failed(...cause)) }
}
