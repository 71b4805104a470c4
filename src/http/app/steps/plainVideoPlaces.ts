/**
 * Places for videos that come in one form, each of which a node holds in memory until it is in, perhaps over many minutes. Nobody waits
 * for a place: a form that is not read meanwhile would be over its time. A journey has one place, and test journeys together have a few of
 * all, so that whoever has a test key keeps no live customer out.
 */
import { Effect, Option, Semaphore } from "effect"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { appLimits } from "../frame/limits.ts"

export const makePlainVideoPlaces = () => {
  const all = Semaphore.makeUnsafe(appLimits.plainVideosAtOnce)
  const ofTests = Semaphore.makeUnsafe(appLimits.plainTestVideosAtOnce)
  const sending = new Set<JourneyId>()

  /** None: there is no place now. */
  return <A, E, R>(
    { id, livemode }: Pick<Journey, "id" | "livemode">,
    reading: Effect.Effect<A, E, R>
  ): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.suspend(() => {
      if (sending.has(id)) return Effect.succeedNone
      sending.add(id)
      const inPlace = all.withPermitsIfAvailable(1)(reading)
      const taken = livemode ? inPlace : Effect.map(ofTests.withPermitsIfAvailable(1)(inPlace), Option.flatten)
      return Effect.ensuring(
        taken,
        Effect.sync(() => sending.delete(id))
      )
    })
}
