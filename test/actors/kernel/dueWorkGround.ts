/** Work made up for the tests of the engine of due work. Not a test itself. */
import { Duration, Effect } from "effect"
import type { DueWork, LookAsk } from "../../../src/actors/kernel/DueWork.ts"

const lookEvery = Duration.seconds(1)

export interface Ground {
  readonly work: DueWork<string>
  /** What was looked for, and what was started and ended, in order. */
  readonly looks: ReadonlyArray<LookAsk>
  readonly seen: ReadonlyArray<string>
}

/** Work that finds what `due` says and hangs on items whose name begins with "stuck". */
export const groundOf = (due: (ask: LookAsk) => ReadonlyArray<string>, policies: Partial<DueWork<string>>): Ground => {
  const looks: Array<LookAsk> = []
  const seen: Array<string> = []
  return {
    looks,
    seen,
    work: {
      name: "Chores",
      lookEvery,
      concurrency: 2,
      look: (ask) =>
        Effect.sync(() => {
          looks.push(ask)
          return due(ask)
        }),
      keyOf: (item) => item,
      run: (item) =>
        Effect.suspend(() => {
          seen.push(item)
          return item.startsWith("stuck") ? Effect.never : Effect.void
        }),
      ...policies
    }
  }
}
