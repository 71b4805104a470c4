/** Due work whose items are claimed, in the engine of due work: when it looks, and for how many. The test moves the clock. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { startDueWork } from "../../../src/actors/kernel/DueWork.ts"
import { dueWorkLimits } from "../../../src/actors/kernel/limits.ts"
import { groundOf } from "./dueWorkGround.ts"

const pass = (seconds: number) => TestClock.adjust(Duration.seconds(seconds))

/** Four items run, six more are due, and an item ends when its turn to end has come. */
const busy = () => {
  const left = Array.from({ length: 10 }, (_, at) => `item ${at}`)
  const ends: Array<() => void> = []
  const ground = groundOf(({ most }) => left.splice(0, most), { concurrency: 4 })
  const run = (item: string) =>
    Effect.andThen(
      ground.work.run(item),
      Effect.callback<void>((resume) => void ends.push(() => resume(Effect.void)))
    )
  const end = () => ends.shift()?.()
  return { looks: () => ground.looks.map(({ most }) => most), work: { ...ground.work, run }, end }
}

describe("due work that is claimed", () => {
  it.effect("is claimed for the free places only", () => {
    const left = ["stuck 1", "stuck 2", "stuck 3"]
    const { looks, seen, work } = groundOf(({ most }) => left.splice(0, most), {})
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(10)
      assert.deepStrictEqual(seen, ["stuck 1", "stuck 2"])
      assert.deepStrictEqual(
        looks.map(({ most }) => most),
        [2]
      )
    })
  })

  it.effect("is claimed as soon as a place is free, without waiting for the next look", () => {
    const left = ["stuck", "a", "b", "c"]
    const { seen, work } = groundOf(({ most }) => left.splice(0, most), {})
    return Effect.gen(function* () {
      yield* startDueWork(work)
      for (let item = 0; item < 4; item++) yield* TestClock.adjust(1)
      assert.deepStrictEqual(seen, ["stuck", "a", "b", "c"])
    })
  })
})

describe("a look for claimed work", () => {
  it.effect("asks at once for as many as half of the places, when these are free", () => {
    const { end, looks, work } = busy()
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* TestClock.adjust(1)
      end()
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(looks(), [4])
      end()
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(looks(), [4, 2])
    })
  })

  it.effect("waits no longer than shortly for them, because the other places may hang", () => {
    const { end, looks, work } = busy()
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* TestClock.adjust(1)
      end()
      yield* TestClock.adjust(dueWorkLimits.gatherFor)
      assert.deepStrictEqual(looks(), [4, 1])
    })
  })
})

describe("a look for claimed work that was held back", () => {
  it.effect("is followed by the next as soon as half of what runs has ended, or shortly after", () => {
    const ends: Array<() => void> = []
    const left = Array.from({ length: 12 }, (_, at) => `item ${at}`)
    // A share of four of the twelve places.
    const { looks, work } = groundOf(() => left.splice(0, 4 - ends.length), { concurrency: 12 })
    const run = (item: string) =>
      Effect.andThen(
        work.run(item),
        Effect.callback<void>((resume) => void ends.push(() => resume(Effect.void)))
      )
    const end = () => ends.shift()?.()
    return Effect.gen(function* () {
      yield* startDueWork({ ...work, run, isHeldBack: () => ends.length >= 4 })
      yield* TestClock.adjust(1)
      end()
      yield* TestClock.adjust(1)
      assert.strictEqual(looks.length, 1)
      end()
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([looks.length, left.length], [2, 6])
      end()
      yield* TestClock.adjust(dueWorkLimits.gatherFor)
      assert.deepStrictEqual([looks.length, left.length], [3, 5])
    })
  })
})

describe("a look for claimed work that left nothing", () => {
  it.effect("is followed by a pause, so that what becomes due one by one shares the next look", () => {
    const left = ["a"]
    const { looks, seen, work } = groundOf(({ most }) => left.splice(0, most), {})
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([seen, looks.length], [["a"], 1])
      left.push("b", "c")
      yield* TestClock.adjust(Duration.subtract(dueWorkLimits.gatherFor, Duration.millis(2)))
      assert.deepStrictEqual([seen, looks.length], [["a"], 1])
      yield* TestClock.adjust(2)
      assert.deepStrictEqual(seen, ["a", "b", "c"])
    })
  })
})
