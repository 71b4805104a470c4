/** The port to what a journey's events say of its times: the newest event of each type. What follows from it is decided in the rules. */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { NewestEvents } from "../journey/rules/awaited.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export class EventsOfJourney extends Context.Service<
  EventsOfJourney,
  {
    readonly newest: (journeyId: JourneyId) => Effect.Effect<NewestEvents, StoreUnavailable>
  }
>()("journeys/actors/EventsOfJourney") {}
