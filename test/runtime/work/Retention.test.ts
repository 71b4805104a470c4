import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "@effect/vitest"
import { Leadership } from "../../../src/actors/kernel/Leadership.ts"
import * as MemoryLeadership from "../../../src/runtime/cluster/coordination/MemoryLeadership.ts"
import { retentionOf, type Removal } from "../../../src/runtime/work/Retention.ts"

/** There are so many to remove, some at a time; at which times it was asked. */
const counted = (what: string, left: number, atOnce = 5) => {
  const asked: Array<number> = []
  let remaining = left
  const removal: Removal = {
    what,
    some: (now) =>
      Effect.sync(() => {
        asked.push(now)
        const removed = Math.min(remaining, atOnce)
        remaining -= removed
        return removed
      })
  }
  return { removal, asked, left: () => remaining }
}

const running = (removals: ReadonlyArray<Removal>, leadership: Layer.Layer<Leadership> = MemoryLeadership.layer) =>
  Effect.forkScoped(Layer.launch(retentionOf(removals).pipe(Layer.provide(leadership))))

it.effect("removes everything that was old enough when the look began, some at a time", () =>
  Effect.gen(function* () {
    const [many, none] = [counted("Many", 12), counted("None", 0)]
    yield* TestClock.adjust("100 seconds")
    const fiber = yield* running([many.removal, none.removal])
    yield* TestClock.adjust("1 second")
    expect([many.left(), none.left()]).toEqual([0, 0])
    expect([many.asked, none.asked]).toEqual([[100_000, 100_000, 100_000, 100_000], [100_000]])
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("removes the other kinds when one kind fails, and tries that kind again at the next look", () =>
  Effect.gen(function* () {
    let looks = 0
    const away: Removal = {
      what: "Away",
      some: () =>
        Effect.suspend(() => {
          looks += 1
          return looks === 1 ? Effect.die("a defect") : Effect.fail("away")
        })
    }
    const rest = counted("Rest", 3)
    const fiber = yield* running([away, rest.removal])
    yield* TestClock.adjust("1 second")
    expect(rest.left()).toBe(0)
    yield* TestClock.adjust("1 hour")
    expect(looks).toBeGreaterThan(3)
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("leaves the work to the leader", () =>
  Effect.gen(function* () {
    const { asked, removal } = counted("Some", 1)
    const others = Layer.succeed(Leadership, {
      of: () => ({ role: Effect.succeed("FOLLOWER"), stepDown: Effect.void })
    })
    const fiber = yield* running([removal], others)
    yield* TestClock.adjust("1 hour")
    expect(asked).toEqual([])
    yield* Fiber.interrupt(fiber)
  })
)
