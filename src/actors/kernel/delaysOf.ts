/**
 * The delays of a `Schedule` as numbers. Work that is repeated over hours must survive restarts, so no fiber can sleep on its
 * schedule: the next due time is stored, and computed from these delays. Only for schedules that end.
 */
import { type Cause, Duration, Effect, Exit, Pull, Schedule } from "effect"

/** Steps a schedule to its end on a clock that shows when each step would have run: its delays, in milliseconds. */
export const delaysOf = <Output>(schedule: Schedule.Schedule<Output>): ReadonlyArray<number> =>
  Effect.runSync(
    Effect.gen(function* () {
      const step = yield* Schedule.toStep(schedule)
      const delays: Array<number> = []
      for (let now = 0; ;) {
        const stepped = yield* Effect.exit(step(now, undefined))
        if (Exit.isFailure(stepped)) {
          // An ended schedule fails with Done; anything else is a defect of the schedule.
          return Pull.isDoneCause(stepped.cause) ? delays : yield* Effect.failCause(stepped.cause as Cause.Cause<never>)
        }
        const delay = Duration.toMillis(stepped.value[1])
        delays.push(delay)
        now += delay
      }
    })
  )
