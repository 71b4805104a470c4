/** The port to a journey's timeline: the lines of its journal, each with the events, mails and deliveries that came of it. */
import { Context, type Effect } from "effect"
import type { TimelineEntryResource } from "../../schema/review/timeline.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { JourneyId } from "../../schema/ids.ts"

export class Timeline extends Context.Service<
  Timeline,
  {
    /** The oldest line first. */
    readonly read: (
      journeyId: JourneyId,
      page: PageRequest
    ) => Effect.Effect<PageOf<TimelineEntryResource>, StoreUnavailable>
  }
>()("journeys/actors/Timeline") {}
