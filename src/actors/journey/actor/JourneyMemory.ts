/**
 * The journey that an actor keeps in memory: a cache of the row, which is dropped whenever it may be stale. Two actors of
 * one journey can be alive at once; the version in the row fences their commits, and `confirmed` fences their answers.
 */
import { Effect } from "effect"
import type { LoadedJourney } from "./JourneyStore.ts"

export interface JourneyMemory<E> {
  /** The journey in memory, or else its row; null when there is no such journey. */
  readonly load: Effect.Effect<LoadedJourney | null, E>
  readonly keep: (journey: LoadedJourney | null) => void
  readonly drop: Effect.Effect<void>
  /**
   * Handles once more, from the row, what was answered from memory alone: an answer without a commit is not fenced by the
   * version, so it must come from the row as it is.
   */
  readonly confirmed: <A, F>(handling: Effect.Effect<A, F>) => Effect.Effect<A, F>
}

export const makeJourneyMemory = <E>(loadRow: Effect.Effect<LoadedJourney | null, E>): JourneyMemory<E> => {
  let current: LoadedJourney | null = null
  /** How often memory was seen to agree with the row: by loading the row, or by a commit on top of it. */
  let confirmations = 0

  const keep = (journey: LoadedJourney | null) => {
    current = journey
    confirmations += 1
  }
  const drop = Effect.sync(() => {
    current = null
  })
  return {
    keep,
    drop,
    load: Effect.suspend(() =>
      current === null
        ? Effect.tap(loadRow, (loaded) => Effect.sync(() => keep(loaded)))
        : Effect.succeed<LoadedJourney | null>(current)
    ),
    confirmed: (handling) =>
      Effect.suspend(() => {
        const before = confirmations
        return Effect.flatMap(handling, (answer) =>
          confirmations > before ? Effect.succeed(answer) : Effect.andThen(drop, handling)
        )
      })
  }
}
