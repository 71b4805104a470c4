import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeFairQueue, type FairQueue } from "../../../src/actors/kernel/FairQueue.ts"
import { queueLimits } from "../../../src/actors/kernel/limits.ts"
import { CurrentWorkFor } from "../../../src/actors/kernel/WorkFor.ts"

/** One place that is taken until it is given back, and a list of whose work had its turn after that. */
const heldQueue = Effect.fnUntraced(function* (mostWaitingOfOne: number, mostWaiting: number) {
  const queue = makeFairQueue({ places: 1, mostWaitingOfOne, mostWaiting })
  const turns: Array<string> = []
  yield* queue.take
  const ask = (companyId: string, livemode = true, name = companyId) =>
    queue
      .run(Effect.sync(() => turns.push(name)))
      .pipe(
        Effect.provideService(CurrentWorkFor, { companyId, livemode, who: "" }),
        Effect.exit,
        Effect.forkChild({ startImmediately: true })
      )
  return { queue, turns, ask }
})

const outcomes = (fibers: ReadonlyArray<Fiber.Fiber<{ readonly _tag: string }>>) =>
  Effect.map(Fiber.joinAll(fibers), (exits) => exits.map(({ _tag }) => _tag))

const times = (count: number) => Array.from({ length: count }, (_, at) => at)

const isEmpty = (queue: FairQueue) =>
  Effect.gen(function* () {
    assert.strictEqual(queue.waiting(), 0)
    // The place is free again: this would wait for ever otherwise.
    yield* queue.run(Effect.void)
  })

describe("a queue that companies share", () => {
  it.effect("gives each company its turn, however much of another waits", () =>
    Effect.gen(function* () {
      const { ask, queue, turns } = yield* heldQueue(100, 1000)
      const greedy = yield* Effect.forEach(times(20), () => ask("greedy"))
      const others = yield* Effect.forEach(["one", "two", "one"], (company) => ask(company))
      yield* queue.release
      yield* outcomes([...greedy, ...others])
      assert.deepStrictEqual(turns.slice(0, 6), ["greedy", "one", "two", "greedy", "one", "greedy"])
      yield* isEmpty(queue)
    })
  )

  it.effect("lets live work go first, and test work go on", () =>
    Effect.gen(function* () {
      const { ask, queue, turns } = yield* heldQueue(100, 1000)
      const test = yield* Effect.forEach(times(3), () => ask("a", false, "test"))
      const live = yield* Effect.forEach(times(8), () => ask("b", true, "live"))
      yield* queue.release
      yield* outcomes([...test, ...live])
      assert.deepStrictEqual(
        turns.join(" ").replaceAll("live live live live", "4 live"),
        "4 live test 4 live test test"
      )
      yield* isEmpty(queue)
    })
  )

  it.effect("counts the turns of live work only while test work waits", () =>
    Effect.gen(function* () {
      const { ask, queue, turns } = yield* heldQueue(100, 1000)
      const alone = yield* Effect.forEach(times(8), () => ask("b", true, "live"))
      yield* queue.release
      yield* outcomes(alone)
      turns.length = 0
      yield* queue.take
      const test = yield* ask("a", false, "test")
      const live = yield* Effect.forEach(times(5), () => ask("b", true, "live"))
      yield* queue.release
      yield* outcomes([test, ...live])
      assert.deepStrictEqual(turns, ["live", "live", "live", "live", "test", "live"])
    })
  )

  it.effect("goes on with live work when the test work whose turn it is has left", () =>
    Effect.gen(function* () {
      const { ask, queue } = yield* heldQueue(100, 1000)
      const test = yield* ask("a", false, "test")
      const live = Effect.provideService(queue.take, CurrentWorkFor, { companyId: "b", livemode: true, who: "" })
      for (let turn = 0; turn < queueLimits.liveTurnsForOneTestTurn; turn++) {
        yield* Effect.forkChild(live, { startImmediately: true })
        yield* queue.release
      }
      yield* Fiber.interrupt(test)
      yield* Effect.forkChild(live, { startImmediately: true })
      yield* queue.release
      assert.strictEqual(queue.waiting(), 0)
    })
  )

  it.effect("refuses the company that has as much waiting as it may, and nobody else", () =>
    Effect.gen(function* () {
      const { ask, queue } = yield* heldQueue(2, 1000)
      const greedy = yield* Effect.forEach(times(4), () => ask("greedy"))
      const other = yield* ask("other")
      yield* queue.release
      assert.deepStrictEqual(yield* outcomes(greedy), ["Success", "Success", "Failure", "Failure"])
      assert.deepStrictEqual(yield* outcomes([other]), ["Success"])
      yield* isEmpty(queue)
    })
  )

  it.effect("has room for exactly those whom it would not refuse", () =>
    Effect.gen(function* () {
      const { ask, queue } = yield* heldQueue(2, 4)
      const roomOf = (companyId: string, livemode = true) =>
        Effect.provideService(queue.hasRoom, CurrentWorkFor, { companyId, livemode, who: "" })
      const all = [yield* ask("greedy")]
      assert.isTrue(yield* roomOf("greedy"))
      all.push(yield* ask("greedy"))
      assert.isFalse(yield* roomOf("greedy"))
      assert.isTrue(yield* roomOf("greedy", false))
      assert.isTrue(yield* roomOf("other"))
      all.push(...(yield* Effect.forEach(times(2), () => ask("another"))))
      assert.isFalse(yield* roomOf("other"))
      assert.isTrue(yield* roomOf("other", false))
      yield* queue.release
      assert.deepStrictEqual(new Set(yield* outcomes(all)), new Set(["Success"]))
      assert.isTrue(yield* roomOf("greedy"))
      yield* isEmpty(queue)
    })
  )

  it.effect("refuses no live work because of test work that waits, and holds no more than it may", () =>
    Effect.gen(function* () {
      const { ask, queue } = yield* heldQueue(2, 4)
      const test = yield* Effect.forEach(times(9), (company) => ask(`company ${company}`, false))
      const live = yield* Effect.forEach(times(4), (company) => ask(`company ${company}`))
      assert.strictEqual(queue.waiting(), 8)
      yield* queue.release
      assert.deepStrictEqual(new Set(yield* outcomes(live)), new Set(["Success"]))
      assert.strictEqual((yield* outcomes(test)).filter((tag) => tag === "Failure").length, 5)
      yield* isEmpty(queue)
    })
  )

  it.effect("forgets who gives up waiting, and loses no place", () =>
    Effect.gen(function* () {
      const { ask, queue, turns } = yield* heldQueue(100, 1000)
      const [first, second] = [yield* ask("one"), yield* ask("two")]
      yield* Fiber.interrupt(first)
      assert.strictEqual(queue.waiting(), 1)
      // The place is passed on to a fiber that is interrupted in the same moment.
      yield* queue.release
      yield* Fiber.interrupt(second)
      assert.isFalse(turns.includes("one"))
      yield* isEmpty(queue)
    })
  )

  it.effect("refuses what has waited too long, gives a turn that comes in the last moment, and loses no place", () =>
    Effect.gen(function* () {
      const longestWait = Duration.seconds(2)
      const queue = makeFairQueue({ places: 1, mostWaitingOfOne: 9, mostWaiting: 9, longestWait })
      const ask = Effect.forkChild(Effect.exit(queue.run(Effect.void)), { startImmediately: true })
      yield* queue.take
      const tooLong = yield* ask
      yield* TestClock.adjust(Duration.seconds(1))
      const inTime = yield* ask
      yield* TestClock.adjust(Duration.seconds(1))
      assert.deepStrictEqual(yield* outcomes([tooLong]), ["Failure"])
      assert.strictEqual(queue.waiting(), 1)
      yield* Effect.all([queue.release, TestClock.adjust(Duration.seconds(1))], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* outcomes([inTime]), ["Success"])
      yield* isEmpty(queue)
    })
  )

  it.effect("gives the place back when the work fails or is ended", () =>
    Effect.gen(function* () {
      const queue = makeFairQueue({ places: 1, mostWaitingOfOne: 1, mostWaiting: 1 })
      yield* Effect.exit(queue.run(Effect.die("broken")))
      const begun = yield* Deferred.make<void>()
      const ended = yield* Effect.forkChild(queue.run(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(ended)
      yield* isEmpty(queue)
    })
  )

  it.effect("lets a company wait beside a free place as long as its owner says so, and others go on", () =>
    Effect.gen(function* () {
      let mayGo = false
      const queue = makeFairQueue({ places: 1, mostWaitingOfOne: 10, mostWaiting: 10, mayGo: () => mayGo })
      const turns: Array<string> = []
      const ask = (companyId: string) =>
        queue
          .run(Effect.sync(() => turns.push(companyId)))
          .pipe(
            Effect.provideService(CurrentWorkFor, { companyId, livemode: true, who: "" }),
            Effect.forkChild({ startImmediately: true })
          )
      yield* queue.take
      const waits = yield* Effect.forEach(times(2), () => ask("waits"))
      yield* queue.release
      yield* Fiber.join(yield* ask("goes"))
      assert.deepStrictEqual(turns, ["goes"])
      assert.strictEqual(queue.waiting(), 2)
      // Whoever comes later may go, and all the same overtakes nobody of their own company.
      mayGo = true
      const later = yield* ask("waits")
      assert.strictEqual(queue.waiting(), 3)
      queue.handOutUnsafe()
      yield* Fiber.joinAll([...waits, later])
      assert.deepStrictEqual(turns, ["goes", "waits", "waits", "waits"])
      yield* isEmpty(queue)
    })
  )
})
