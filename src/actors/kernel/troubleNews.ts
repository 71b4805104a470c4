/** One line of the log when something begins to fail, and one when it works again, instead of a line each time. */
import { Clock, Duration, Effect } from "effect"

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

interface LinesOfMany<Cause extends ReadonlyArray<unknown>> {
  readonly ok: (about: About) => Effect.Effect<void>
  readonly failed: (about: About, ...cause: Cause) => Effect.Effect<void>
}

/** The ids of one thing, as the log shows them. */
type About = Readonly<Record<string, string>>

interface NewsOfMany<Cause extends ReadonlyArray<unknown>> {
  readonly lines: LinesOfMany<Cause>
  /** What goes on failing has another line after this time. */
  readonly againAfter: Duration.Duration
  /** Things that are remembered. Of more, the one whose line is the oldest is forgotten: if it fails again, it has a line again. */
  readonly most: number
}

/** The same for many things, of which each fails and works by itself. */
export const troubleNewsOfMany = <Cause extends ReadonlyArray<unknown>>({
  againAfter,
  lines,
  most
}: NewsOfMany<Cause>): LinesOfMany<Cause> => {
  /** When each had its last line, the oldest first. */
  const saidAt = new Map<string, number>()
  return {
    ok: (about) => Effect.suspend(() => (saidAt.delete(JSON.stringify(about)) ? lines.ok(about) : Effect.void)),
    failed: (about, ...cause) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const key = JSON.stringify(about)
        const before = saidAt.get(key)
        if (before !== undefined && now - before < Duration.toMillis(againAfter)) return Effect.void
        saidAt.delete(key)
        saidAt.set(key, now)
        if (saidAt.size > most) saidAt.delete(saidAt.keys().next().value ?? key)
        return lines.failed(about, ...cause)
      })
  }
}
