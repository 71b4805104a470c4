/**
 * The port to prompt wake-ups of journeys. The truth is the alarm in each row; this port only saves the wait for the next look
 * at the rows. A wake-up that is lost here is found in the row.
 */
import { Clock, Context, Effect } from "effect"
import type { Journey } from "../rules/state/Journey.ts"
import { clockOf, dueMessage, nextAlarm } from "../rules/timers.ts"
import type { TestClocks } from "./TestClocks.ts"
import type { JourneyId } from "../../../schema/ids.ts"

export class Alarms extends Context.Service<
  Alarms,
  {
    /** Something is due right now. */
    readonly wakeNow: (journeyId: JourneyId) => Effect.Effect<void>
    /** The journey's one alarm is at this time, in epoch milliseconds; it replaces the alarm before. */
    readonly wakeAt: (journeyId: JourneyId, at: number) => Effect.Effect<void>
  }
>()("journeys/actors/Alarms") {}

/** Announces when a committed journey must be woken, if ever. It does not fail. */
export const setAlarm = Effect.fnUntraced(function* (
  alarms: Alarms["Service"],
  clocks: TestClocks["Service"],
  journey: Journey
) {
  const clock = clockOf(journey)
  if (clock !== null) {
    // What is due later waits for the clock to be advanced, and so does what a silent database does not let us know.
    const now = yield* Effect.orElseSucceed(clocks.timeOf(clock), () => journey.createdAt)
    return dueMessage(journey, now) === null ? undefined : yield* alarms.wakeNow(journey.id)
  }
  const at = nextAlarm(journey)
  const now = yield* Clock.currentTimeMillis
  if (dueMessage(journey, now) !== null) yield* alarms.wakeNow(journey.id)
  else if (at !== null && at > now) yield* alarms.wakeAt(journey.id, at)
})
