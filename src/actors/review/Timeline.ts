/** The port to what is stored of a journey's life: its journal, and what each line of it left elsewhere. */
import { Context, type Effect } from "effect"
import type { TimelineEntryResource } from "../../schema/journey/timeline.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export class Timeline extends Context.Service<
  Timeline,
  {
    /** In the order in which it happened. */
    readonly read: (
      journeyId: string,
      page: PageRequest
    ) => Effect.Effect<PageOf<TimelineEntryResource>, StoreUnavailable>
  }
>()("journeys/actors/Timeline") {}
