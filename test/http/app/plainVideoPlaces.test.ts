/** Who may send a video in one form at once. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { appLimits } from "../../../src/http/app/frame/limits.ts"
import { makePlainVideoPlaces } from "../../../src/http/app/steps/plainVideoPlaces.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

const journeys = (livemode: boolean, count: number) =>
  Array.from({ length: count }, (_, number) => ({
    id: JourneyId.make(`${livemode ? "live" : "test"} ${number}`),
    livemode
  }))

describe("videos in one form", () => {
  it.effect("of test journeys leave most places to live ones, and all places are free again when they are in", () =>
    Effect.gen(function* () {
      const { plainTestVideosAtOnce: few, plainVideosAtOnce: most } = appLimits
      const inPlace = makePlainVideoPlaces()
      const isIn = yield* Deferred.make<void>()
      const send = (sender: (typeof senders)[number]) => inPlace(sender, Deferred.await(isIn))
      const senders = [...journeys(false, most), ...journeys(true, most)]
      const sending = yield* Effect.forEach(senders, (sender) => Effect.forkChild(send(sender)))
      yield* Effect.yieldNow
      const refused = (livemode: boolean) =>
        sending.filter((fiber, at) => senders[at]?.livemode === livemode && fiber.pollUnsafe() !== undefined).length
      assert.deepStrictEqual([refused(false), refused(true)], [most - few, few])
      yield* Deferred.succeed(isIn, undefined)
      yield* Effect.forEach(sending, Fiber.join)
      const later = yield* Effect.forEach(journeys(true, most), (one) => inPlace(one, Effect.void), {
        concurrency: "unbounded"
      })
      assert.isTrue(later.every(Option.isSome))
    })
  )

  it.effect("come one at a time from a journey", () =>
    Effect.gen(function* () {
      const inPlace = makePlainVideoPlaces()
      const [one] = journeys(true, 1)
      if (one === undefined) return assert.fail("no journey")
      const first = yield* Effect.forkChild(inPlace(one, Effect.never))
      yield* Effect.yieldNow
      assert.isTrue(Option.isNone(yield* inPlace(one, Effect.void)))
      yield* Fiber.interrupt(first)
      assert.isTrue(Option.isSome(yield* inPlace(one, Effect.void)))
    })
  )
})
