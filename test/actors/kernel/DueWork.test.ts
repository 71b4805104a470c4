/** The engine of due work, with work made up for each test, on a clock that the test moves. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { startDueWork, type DueWork, type StartedDueWork } from "../../../src/actors/kernel/DueWork.ts"
import type { Candidate, LeadershipRole } from "../../../src/actors/kernel/Leadership.ts"
import { groundOf } from "./dueWorkGround.ts"

const pass = (seconds: number) => TestClock.adjust(Duration.seconds(seconds))

const candidate = (role: () => LeadershipRole) => {
  const steps: Array<string> = []
  const leadership: Candidate = {
    role: Effect.sync(role),
    stepDown: Effect.sync(() => void steps.push("down"))
  }
  return { leadership, steps }
}

const woken = (policies: Partial<DueWork<string>>) => {
  const begun: Array<StartedDueWork<string>> = []
  const ground = groundOf(() => ["stuck"], {
    ...policies,
    wakeUps: (started) => {
      begun.push(started)
      return Effect.never
    }
  })
  return { ...ground, started: () => begun[0] ?? assert.fail("no wake-ups") }
}

describe("due work of which all that is due is found at each look", () => {
  it.effect("is run without a pause while each look is full and finds news", () => {
    const left = Array.from({ length: 35 }, (_, at) => `item ${at}`)
    const { looks, seen, work } = groundOf(() => left.splice(0, 10), { batch: 10 })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      for (let turn = 0; turn < 10; turn++) yield* pass(0)
      assert.strictEqual(seen.length, 35)
      assert.strictEqual(looks.length, 4)
    })
  })

  it.effect("is looked for at its pace when full looks find the same again", () => {
    const same = Array.from({ length: 10 }, (_, at) => `item ${at}`)
    const { looks, work } = groundOf(() => same, { batch: 10 })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(2)
      // The second look cannot know that it finds nothing new.
      assert.strictEqual(looks.length, 4)
    })
  })

  it.effect("is looked for and run again and again", () => {
    const { seen, work } = groundOf(() => ["one"], { batch: 10 })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(2)
      assert.deepStrictEqual(seen, ["one", "one", "one"])
    })
  })

  it.effect("goes on while an item hangs, and does not start that item a second time", () => {
    let look = 0
    const { seen, work } = groundOf(() => ["stuck", `next ${++look}`], { batch: 10 })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(2)
      assert.deepStrictEqual(seen, ["stuck", "next 1", "next 2", "next 3"])
    })
  })

  it.effect("runs no more items at once than there are places, and the others when a place is free", () => {
    let open = false
    const waiting: Array<() => void> = []
    const { seen, work } = groundOf(() => (open ? [] : ["a", "b", "c"]), { batch: 10 })
    const held: DueWork<string> = {
      ...work,
      run: (item) =>
        Effect.andThen(
          work.run(item),
          Effect.callback<void>((resume) => void waiting.push(() => resume(Effect.void)))
        )
    }
    return Effect.gen(function* () {
      yield* startDueWork(held)
      yield* pass(5)
      assert.deepStrictEqual(seen, ["a", "b"])
      open = true
      waiting[0]?.()
      yield* pass(1)
      assert.deepStrictEqual(seen, ["a", "b", "c"])
    })
  })

  it.effect("goes on when an item breaks", () => {
    const { seen, work } = groundOf(() => ["broken", "whole"], { batch: 10 })
    const breaking: DueWork<string> = {
      ...work,
      run: (item) => Effect.andThen(work.run(item), item === "broken" ? Effect.die(new Error("broken")) : Effect.void)
    }
    return Effect.gen(function* () {
      yield* startDueWork(breaking)
      yield* pass(1)
      assert.deepStrictEqual(seen, ["broken", "whole", "broken", "whole"])
    })
  })
})

describe("looks", () => {
  it.effect("are left to the leader", () => {
    let role: LeadershipRole = "FOLLOWER"
    const { leadership } = candidate(() => role)
    const { looks, work } = groundOf(() => [], { batch: 10, leadership })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(3)
      assert.deepStrictEqual(looks, [])
      role = "LEADER"
      yield* pass(1)
      assert.deepStrictEqual(looks, [{ now: 4000, most: 10, role: "LEADER" }])
    })
  })

  it.effect("that fail are logged once, as is the first that works again, and the leader steps down", () => {
    const lines: Array<string> = []
    const { leadership, steps } = candidate(() => "LEADER")
    let isAway = true
    let looks = 0
    const { work } = groundOf(() => [], {
      batch: 10,
      leadership,
      look: () =>
        Effect.suspend(() => {
          looks += 1
          if (!isAway) return Effect.succeed([])
          return looks === 1 ? Effect.die(new Error("a defect")) : Effect.fail("away")
        })
    })
    const logger = Logger.make(({ message }) => void lines.push([message].flat().map(String).join(" ")))
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(2)
      assert.strictEqual(looks, 3)
      assert.deepStrictEqual(lines, ["Chores cannot be looked at"])
      assert.strictEqual(steps.length, 3)
      isAway = false
      yield* pass(2)
      assert.deepStrictEqual(lines, ["Chores cannot be looked at", "Chores can be looked at again"])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.effect("end with their scope, and so does what they started", () => {
    const { looks, work } = groundOf(() => ["stuck"], { batch: 10 })
    return Effect.gen(function* () {
      const ended: Array<string> = []
      const scope = yield* Scope.make()
      const run = (item: string) => Effect.onInterrupt(work.run(item), () => Effect.sync(() => void ended.push(item)))
      yield* Scope.provide(startDueWork({ ...work, run }), scope)
      yield* pass(1)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ended, ["stuck"])
      yield* pass(5)
      assert.strictEqual(looks.length, 2)
    })
  })
})

describe("a wake-up", () => {
  it.effect("starts an item without a look, even while the item runs", () => {
    const { seen, started, work } = woken({ look: null })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(5)
      assert.deepStrictEqual(seen, [])
      yield* started().startNow("stuck")
      yield* started().startNow("stuck")
      assert.deepStrictEqual(seen, ["stuck", "stuck"])
    })
  })

  it.effect("that is claimed elsewhere is not started while the item runs", () => {
    const { seen, started, work } = woken({ batch: 10 })
    return Effect.gen(function* () {
      yield* startDueWork(work)
      yield* pass(1)
      yield* started().runOnce("stuck")
      yield* started().runOnce("other")
      assert.deepStrictEqual(seen, ["stuck", "other"])
    })
  })
})
