/**
 * The port to the marks of journeys. The mark of a journey is another one after each of its messages, each attempt to deliver one
 * of its events, and each try to send one of its mails; what it is made of is nothing to count on.
 */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export class JourneyMarks extends Context.Service<
  JourneyMarks,
  {
    /** One statement, however many journeys. A journey that is gone has no mark. */
    readonly of: (ids: ReadonlyArray<JourneyId>) => Effect.Effect<ReadonlyMap<string, string>, StoreUnavailable>
  }
>()("journeys/actors/JourneyMarks") {}
