/**
 * Removes videos that are kept no longer: uploads that nobody completed, and those of journeys that ended a while ago. One
 * node does it at a time; two at once would do no harm. A customer's erasure does not wait for this.
 */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { uploadOpenFor, Videos } from "../../actors/customer/Videos.ts"
import { sightingOf } from "../../actors/sighting.ts"
import { Lookout } from "../Lookout.ts"

const lookEvery = Duration.minutes(10)

/** From the journey's end, when nobody decided otherwise: as long as a customer may come back with a question. */
const keptFor = Duration.days(30)

/** Videos in one statement, which takes a tenth of a second for each. */
const removedAtOnce = 5

const removeAll = (remove: Videos["Service"]["removeEnded"], before: number) =>
  Effect.repeat(remove(before, removedAtOnce), { while: (removed) => removed === removedAtOnce })

export const layerOf = (kept: Duration.Input) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const videos = yield* Videos
      const watch = (yield* Lookout).over("videos")
      const sighting = sightingOf("Videos to remove")

      const look = Effect.gen(function* () {
        if ((yield* watch.turn) === "Others") return
        const now = yield* Clock.currentTimeMillis
        yield* removeAll(videos.removeUnfinished, now - Duration.toMillis(uploadOpenFor))
        yield* removeAll(videos.removeEnded, now - Duration.toMillis(kept))
        yield* sighting.clear
      }).pipe(
        // Whatever it was, the next look must come.
        Effect.catchCause((cause) => Effect.andThen(sighting.blind(cause), watch.pass))
      )
      yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
    })
  )

export const layer = layerOf(keptFor)
