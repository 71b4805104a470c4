/**
 * Deletes what the sandbox has kept for thirty days (decision S9): test journeys with their events, and customers who have
 * no other. One node does it at a time; two at once would do no harm.
 */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { sightingOf } from "../actors/sighting.ts"
import { Lookout } from "./Lookout.ts"
import { endingInTime } from "./postgres/patience.ts"
import { removeTestDataStatement } from "./postgres/retentionStatements.ts"

/** From the start of a test journey. */
const keptFor = Duration.days(30)

const lookEvery = Duration.minutes(10)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const watch = (yield* Lookout).over("test data")
    const sighting = sightingOf("Test data to remove")
    const removeSome = (before: number) => endingInTime(sql.unsafe(removeTestDataStatement, [new Date(before)]))
    const look = Effect.gen(function* () {
      if ((yield* watch.turn) === "Others") return
      const now = yield* Clock.currentTimeMillis
      const remove = removeSome(now - Duration.toMillis(keptFor))
      yield* Effect.repeat(remove, { while: (removed) => removed.length > 0 })
      yield* sighting.clear
    }).pipe(
      // Whatever it was, the next look must come.
      Effect.catchCause((cause) => Effect.andThen(sighting.blind(cause), watch.pass))
    )
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
  })
)
