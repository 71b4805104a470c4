import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "@effect/vitest"
import { uploadOpenFor, Videos } from "../../../src/actors/customer/Videos.ts"
import { StoreUnavailable } from "../../../src/actors/journey/JourneyStore.ts"
import { Lookout, layerAlone } from "../../../src/runtime/Lookout.ts"
import * as VideoRemoval from "../../../src/runtime/video/videoRemoval.ts"

const day = Duration.toMillis("1 day")

/** There are so many to remove; how often each was asked, and up to when. */
const counted = (unfinished: number, ended: number) => {
  const left = { unfinished, ended }
  const asked: Array<readonly [keyof typeof left, number]> = []
  const remove = (what: keyof typeof left) => (before: number, atMost: number) =>
    Effect.sync(() => {
      asked.push([what, before])
      const removed = Math.min(left[what], atMost)
      left[what] -= removed
      return removed
    })
  return {
    asked,
    left,
    layer: Layer.mock(Videos, { removeUnfinished: remove("unfinished"), removeEnded: remove("ended") })
  }
}

const running = (videos: Layer.Layer<Videos>, lookout: Layer.Layer<Lookout> = layerAlone) =>
  Effect.forkScoped(Layer.launch(VideoRemoval.layerOf("30 days").pipe(Layer.provide([videos, lookout]))))

it.effect("removes all there is, some at a time, of the right age", () =>
  Effect.gen(function* () {
    const { asked, layer, left } = counted(12, 5)
    yield* TestClock.adjust("100 days")
    const fiber = yield* running(layer)
    yield* TestClock.adjust("1 second")
    expect(left).toEqual({ unfinished: 0, ended: 0 })
    expect(new Set(asked.filter(([what]) => what === "unfinished").map(([, before]) => before))).toEqual(
      new Set([100 * day - Duration.toMillis(uploadOpenFor)])
    )
    expect(new Set(asked.filter(([what]) => what === "ended").map(([, before]) => before))).toEqual(new Set([70 * day]))
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("goes on looking after a look that failed", () =>
  Effect.gen(function* () {
    let looks = 0
    const away = Layer.mock(Videos, {
      removeUnfinished: () =>
        Effect.suspend(() => {
          looks += 1
          return Effect.fail(new StoreUnavailable({ cause: "away" }))
        })
    })
    const fiber = yield* running(away)
    yield* TestClock.adjust("1 hour")
    expect(looks).toBeGreaterThan(3)
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("leaves it to the node whose turn it is", () =>
  Effect.gen(function* () {
    const { asked, layer } = counted(1, 1)
    const others = Layer.succeed(Lookout, { over: () => ({ turn: Effect.succeed("Others"), pass: Effect.void }) })
    const fiber = yield* running(layer, others)
    yield* TestClock.adjust("1 hour")
    expect(asked).toEqual([])
    yield* Fiber.interrupt(fiber)
  })
)
