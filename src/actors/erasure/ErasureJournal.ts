/**
 * The port to the journal of what has ended (`EndedThing.ts`). It is kept outside the database, so that a restored backup of the
 * database can be told what it does not know.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { EndedThing } from "./EndedThing.ts"

export class ErasureJournal extends Context.Service<
  ErasureJournal,
  {
    /** Written, and safe on the disk, when it answers. What could not be written goes with the next append of the process. */
    readonly append: (things: ReadonlyArray<EndedThing>) => Effect.Effect<void, StoreUnavailable>
  }
>()("journeys/actors/ErasureJournal") {}
