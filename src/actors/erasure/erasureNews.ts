/** The lines of the log about erasures. What fails each time has a line now and then, and not with each look. */
import { type Cause, Effect } from "effect"
import { troubleNewsOfMany } from "../kernel/troubleNews.ts"
import { customerErasureLimits } from "./limits.ts"

export const erasureNewsOf = (failed: string, ok: string) =>
  troubleNewsOfMany({
    lines: {
      ok: (about) => Effect.logInfo(ok, about),
      failed: (about, cause: Cause.Cause<unknown>) => Effect.logError(failed, about, cause)
    },
    againAfter: customerErasureLimits.saidAgainAfter,
    most: customerErasureLimits.mostSaid
  })
