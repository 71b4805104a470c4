/**
 * The port that wakes journeys: the durable truth is each row's alarm; this only says that one is due right now, so
 * that nobody waits for the next look.
 */
import { Context, type Effect } from "effect"

export class Alarms extends Context.Service<
  Alarms,
  {
    readonly wakeNow: (journeyId: string) => Effect.Effect<void>
  }
>()("journeys/actors/Alarms") {}
