/** The port to a journey's timeline: the lines of its journal, each with the events, mails, deliveries and attempts that came of it. */
import { Context, type Effect } from "effect"
import type { TimelineEntry, TimelineOrder } from "../../schema/review/timeline.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface TimelineRequest extends PageRequest {
  readonly order: TimelineOrder
  /** Only lines up to this version; null: every line. */
  readonly upTo: number | null
}

export class Timeline extends Context.Service<
  Timeline,
  {
    readonly read: (journey: Journey, asked: TimelineRequest) => Effect.Effect<PageOf<TimelineEntry>, StoreUnavailable>
  }
>()("journeys/actors/Timeline") {}
