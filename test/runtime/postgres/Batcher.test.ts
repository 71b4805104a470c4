/** Group commit without a database: who shares a statement with whom, who pays for whom, and who is turned away. */
import { Deferred, Duration, Effect, Exit, Fiber, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { makeBatcher, type BatcherOptions } from "../../../src/runtime/postgres/Batcher.ts"
import { mostWaiting } from "../../../src/runtime/postgres/limits.ts"

class Failed extends Error {
  readonly isRefused: boolean
  constructor(message: string, isRefused: boolean) {
    super(message)
    this.isRefused = isRefused
  }
}

type Options = BatcherOptions<string, string, Failed, Failed>

const defaults = {
  name: "Test.run",
  fibers: 1,
  largestBatch: 100,
  isRefusal: (error: Failed) => error.isRefused,
  full: () => new Failed("full", false)
}

/** A batcher whose statements wait for a signal, so that a test decides what gathers meanwhile. */
const held = (given: Partial<Options> & Pick<Options, "run">) =>
  Effect.gen(function* () {
    const batches: Array<ReadonlyArray<string>> = []
    const mayRun = yield* Deferred.make<void>()
    const submit = yield* makeBatcher<string, string, Failed, Failed>({
      ...defaults,
      ...given,
      run: (items) => {
        batches.push(items)
        return items.includes("first") ? Effect.as(Deferred.await(mayRun), items) : given.run(items)
      }
    })
    /** Hands over a first item that is held, then the others, then lets everything run. */
    const submitAll = (items: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(submit("first"), { startImmediately: true })
        while (batches.length === 0) yield* Effect.yieldNow
        const fibers = yield* Effect.forEach(items, (item) =>
          Effect.forkChild(submit(item), { startImmediately: true })
        )
        yield* Deferred.succeed(mayRun, undefined)
        yield* Fiber.join(first)
        return yield* Effect.forEach(fibers, Fiber.await)
      })
    return { batches, submit, submitAll, mayRun }
  })

const othersBegin = { items: 3, after: Duration.millis(50) }

const handOver = (submit: (item: string) => Effect.Effect<string, Failed>, items: ReadonlyArray<string>) =>
  Effect.forEach(items, (item) => Effect.forkChild(submit(item), { startImmediately: true }))

const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(effect))

const echo = (items: ReadonlyArray<string>) => Effect.succeed(items.map((item) => `${item}!`))
const answersOf = (exits: ReadonlyArray<Exit.Exit<string, Failed>>) =>
  exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))

describe("what waits", () => {
  it("shares one statement, in its order, each item with its own answer", () =>
    run(
      Effect.gen(function* () {
        const { batches, submitAll } = yield* held({ run: echo })
        expect(answersOf(yield* submitAll(["a", "b", "c"]))).toEqual(["a!", "b!", "c!"])
        expect(batches).toEqual([["first"], ["a", "b", "c"]])
      })
    ))

  it("goes in statements of the largest size", () =>
    run(
      Effect.gen(function* () {
        const { batches, submitAll } = yield* held({ run: echo, largestBatch: 2 })
        yield* submitAll(["a", "b", "c"])
        expect(batches).toEqual([["first"], ["a", "b"], ["c"]])
      })
    ))

  it("gets a second statement at once when enough waits", () =>
    run(
      Effect.gen(function* () {
        const { batches, mayRun, submit } = yield* held({ run: echo, fibers: 2, othersBegin })
        yield* handOver(submit, ["first"])
        while (batches.length === 0) yield* Effect.yieldNow
        yield* handOver(submit, ["a", "b"])
        for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
        expect(batches).toEqual([["first"]])
        yield* handOver(submit, ["c"])
        while (batches.length === 1) yield* Effect.yieldNow
        expect(batches).toEqual([["first"], ["a", "b", "c"]])
        yield* Deferred.succeed(mayRun, undefined)
      })
    ))

  it("gets a statement of its own when the one before it is held up for long", () =>
    run(
      Effect.gen(function* () {
        const { batches, mayRun, submit } = yield* held({ run: echo, fibers: 2, othersBegin })
        yield* handOver(submit, ["first"])
        while (batches.length === 0) yield* Effect.yieldNow
        const [waiting] = yield* handOver(submit, ["a"])
        yield* TestClock.adjust(Duration.millis(49))
        expect(batches).toEqual([["first"]])
        yield* TestClock.adjust(Duration.millis(51))
        expect(yield* Fiber.join(waiting!)).toBe("a!")
        expect(batches).toEqual([["first"], ["a"]])
        yield* Deferred.succeed(mayRun, undefined)
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("waits for more where it is told to gather, and then goes in one statement", () =>
    run(
      Effect.gen(function* () {
        const batches: Array<ReadonlyArray<string>> = []
        const submit = yield* makeBatcher<string, string, Failed, Failed>({
          ...defaults,
          gatherFor: Duration.millis(5),
          run: (items) =>
            Effect.andThen(
              Effect.sync(() => batches.push(items)),
              echo(items)
            )
        })
        const first = yield* handOver(submit, ["a"])
        yield* TestClock.adjust("4 millis")
        const second = yield* handOver(submit, ["b"])
        yield* TestClock.adjust("0 millis")
        expect(batches).toEqual([])
        yield* TestClock.adjust("1 millis")
        expect(answersOf(yield* Effect.forEach([...first, ...second], Fiber.await))).toEqual(["a!", "b!"])
        expect(batches).toEqual([["a", "b"]])
        const later = yield* handOver(submit, ["c"])
        yield* TestClock.adjust("5 millis")
        expect(answersOf(yield* Effect.forEach(later, Fiber.await))).toEqual(["c!"])
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("runs at once when nothing else is waiting", () =>
    run(
      Effect.gen(function* () {
        const submit = yield* makeBatcher<string, string, Failed>({ ...defaults, run: echo })
        expect(yield* submit("a")).toBe("a!")
      })
    ))

  it("keeps items of one key apart and in order, and lets others pass together", () =>
    run(
      Effect.gen(function* () {
        const { batches, submitAll } = yield* held({ run: echo, keyOf: (item) => item.charAt(0) })
        expect(answersOf(yield* submitAll(["a1", "b1", "a2", "c1", "a3", "b2"]))).toEqual([
          "a1!",
          "b1!",
          "a2!",
          "c1!",
          "a3!",
          "b2!"
        ])
        expect(batches).toEqual([["first"], ["a1", "b1", "c1"], ["a2", "b2"], ["a3"]])
      })
    ))

  it("is run even when its caller has left, and the caller need not wait", () =>
    run(
      Effect.gen(function* () {
        const { batches, mayRun, submit } = yield* held({ run: echo })
        const first = yield* Effect.forkChild(submit("first"), { startImmediately: true })
        while (batches.length === 0) yield* Effect.yieldNow
        const leaving = yield* Effect.forkChild(submit("a"), { startImmediately: true })
        yield* Fiber.interrupt(leaving)
        yield* Deferred.succeed(mayRun, undefined)
        yield* Fiber.join(first)
        yield* submit("b")
        expect(batches.flat()).toEqual(["first", "a", "b"])
      })
    ))

  it("takes too long for its caller, who hears so in time; the item is run all the same", () =>
    run(
      Effect.gen(function* () {
        const { batches, mayRun, submit } = yield* held({
          run: echo,
          answerWithin: Duration.millis(1),
          late: () => new Failed("late", false)
        })
        expect(yield* Effect.flip(submit("first"))).toMatchObject({ message: "late" })
        expect(yield* Effect.flip(submit("a"))).toMatchObject({ message: "late" })
        yield* Deferred.succeed(mayRun, undefined)
        // On a busy machine both may have been late before the first statement began, and share it.
        while (batches.flat().length < 2) yield* Effect.yieldNow
        expect(batches.flat()).toEqual(["first", "a"])
      })
    ))

  it("may be so much and no more: the next caller hears at once that there is no room", () =>
    run(
      Effect.gen(function* () {
        const { batches, mayRun, submit } = yield* held({ run: echo })
        const first = yield* Effect.forkChild(submit("first"), { startImmediately: true })
        while (batches.length === 0) yield* Effect.yieldNow
        const waiting = yield* Effect.forEach(Array.from({ length: mostWaiting }, String), (item) =>
          Effect.forkChild(submit(item), { startImmediately: true })
        )
        expect(yield* Effect.flip(submit("too many"))).toMatchObject({ message: "full" })
        yield* Deferred.succeed(mayRun, undefined)
        yield* Fiber.join(first)
        yield* Fiber.joinAll(waiting)
        expect(yield* submit("later")).toBe("later!")
        expect(batches.flat()).not.toContain("too many")
        expect(batches.flat().length).toBe(mostWaiting + 2)
      })
    ))
})

const failing = (isAtFault: (item: string) => boolean, fail: () => Effect.Effect<never, Failed>) =>
  held({ run: (items) => (items.some(isAtFault) ? fail() : echo(items)) })

describe("a statement that fails", () => {
  it("because of one row fails that row alone", () =>
    run(
      Effect.gen(function* () {
        const { submitAll } = yield* failing(
          (item) => item === "bad",
          () => Effect.fail(new Failed("refused", true))
        )
        expect(answersOf(yield* submitAll(["a", "b", "bad", "c", "d"]))).toEqual(["a!", "b!", "failed", "c!", "d!"])
      })
    ))

  it("because one item cannot be encoded fails that item alone, and the batcher goes on", () =>
    run(
      Effect.gen(function* () {
        const { submit, submitAll } = yield* held({
          run: (items) => {
            if (items.includes("bad")) throw new Error("cannot be encoded")
            return echo(items)
          }
        })
        expect(answersOf(yield* submitAll(["a", "bad", "c"]))).toEqual(["a!", "failed", "c!"])
        expect(yield* submit("later")).toBe("later!")
      })
    ))

  it("by a defect within fails the item at fault alone", () =>
    run(
      Effect.gen(function* () {
        const { submitAll } = yield* failing(
          (item) => item === "bad",
          () => Effect.die(new Error("a defect"))
        )
        expect(answersOf(yield* submitAll(["bad", "b"]))).toEqual(["failed", "b!"])
      })
    ))

  it("with the connection, or with an outcome nobody knows, is not sent again in pieces", () =>
    run(
      Effect.gen(function* () {
        const { batches, submitAll } = yield* failing(
          () => true,
          () => Effect.fail(new Failed("connection lost", false))
        )
        expect(answersOf(yield* submitAll(["a", "b", "c"]))).toEqual(["failed", "failed", "failed"])
        expect(batches).toEqual([["first"], ["a", "b", "c"]])
      })
    ))
})
