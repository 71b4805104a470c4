/**
 * The port to the journal of what has ended (`EndedThing.ts`). It is kept outside the database, so that a restored backup of the
 * database can be told what it does not know.
 */
import { Context, Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { EndedThing } from "./EndedThing.ts"

export class ErasureJournal extends Context.Service<
  ErasureJournal,
  {
    /** Written, and safe on the disk, when it answers; nothing is written of no things. What could not be written goes with the next append of the process, unless too much waits already. */
    readonly append: (things: ReadonlyArray<EndedThing>) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/actors/ErasureJournal") {}

/** What is kept where no folder is set: nothing. */
export const noJournal = ErasureJournal.of({ append: () => Effect.void })

/**
 * For what ends beside what somebody asked for: that was done, and a journal that cannot be written now does not make it undone. The
 * journal says so in the log, and the things are written with the next append.
 */
export const noteEnded = (journal: ErasureJournal["Service"], things: ReadonlyArray<EndedThing>): Effect.Effect<void> =>
  Effect.ignore(journal.append(things))
