/** Turns, supervision and memory of the journeys that a node keeps, with messages of the tests' own. */
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import {
  JourneyResidents,
  layer,
  type JourneyBehaviour
} from "../../../../src/actors/journey/actor/JourneyResidents.ts"
import { journeyActorLimits } from "../../../../src/actors/journey/actor/limits.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

const one = JourneyId.make("one")
const another = JourneyId.make("another")

const idle: JourneyBehaviour = { ask: () => Effect.succeed({ _tag: "Ignored", reason: "idle" }), wake: Effect.void }

const nothing = () => Effect.void

/** `made` hears of each journey that comes to memory. */
const withResidents = (
  use: (residents: JourneyResidents["Service"], stop: Effect.Effect<void>) => Effect.Effect<unknown, unknown>,
  made: (id: JourneyId) => JourneyBehaviour = () => idle
) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const residents = Context.get(yield* Layer.build(layer), JourneyResidents)
      const running = yield* Scope.make()
      yield* Scope.provide(residents.run(made), running)
      yield* use(residents, Scope.close(running, Exit.void))
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  )

describe("the journeys that a node keeps in memory", () => {
  it("handle one message of a journey at a time, in the order in which they came", () =>
    withResidents(
      Effect.fnUntraced(function* (residents) {
        const first = yield* Deferred.make<void>()
        const seen: Array<string> = []
        const hand = (name: string, ends: Effect.Effect<void>) =>
          residents.hand(one, () =>
            Effect.sync(() => seen.push(`${name} begins`)).pipe(
              Effect.andThen(ends),
              Effect.andThen(Effect.sync(() => seen.push(`${name} ends`)))
            )
          )
        const fibers = [
          yield* Effect.forkChild(hand("first", Deferred.await(first)), { startImmediately: true }),
          yield* Effect.forkChild(hand("second", Effect.void), { startImmediately: true }),
          yield* Effect.forkChild(hand("third", Effect.void), { startImmediately: true })
        ]
        expect(seen).toEqual(["first begins"])
        yield* Deferred.succeed(first, undefined)
        yield* Fiber.joinAll(fibers)
        expect(seen).toEqual([
          "first begins",
          "first ends",
          "second begins",
          "second ends",
          "third begins",
          "third ends"
        ])
      })
    ))

  it("do not wait for each other", () =>
    withResidents(
      Effect.fnUntraced(function* (residents) {
        yield* Effect.forkChild(
          residents.hand(one, () => Effect.never),
          { startImmediately: true }
        )
        expect(yield* residents.hand(another, () => Effect.succeed("answered"))).toBe("answered")
      })
    ))

  it("take a message back whose sender stops waiting, and stop handling it", () =>
    withResidents(
      Effect.fnUntraced(function* (residents) {
        const handled: Array<string> = []
        const stuck = yield* Effect.forkChild(
          residents.hand(one, () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => handled.push("stopped")))),
          { startImmediately: true }
        )
        const waiting = yield* Effect.forkChild(
          residents.hand(one, () => Effect.sync(() => handled.push("waiting"))),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(waiting)
        yield* Fiber.interrupt(stuck)
        yield* residents.hand(one, () => Effect.sync(() => handled.push("next")))
        expect(handled).toEqual(["stopped", "next"])
      })
    ))

  it("tell a sender in time that there is no answer: the message is taken back, or its handling stopped", () =>
    withResidents(
      Effect.fnUntraced(function* (residents) {
        const handled: Array<string> = []
        const late = { _tag: "Late" } as const
        const hand = (name: string, millis: number) =>
          residents.hand(
            one,
            () =>
              Effect.sync(() => handled.push(name)).pipe(
                Effect.andThen(Effect.never),
                Effect.onInterrupt(() => Effect.sync(() => handled.push(`${name} stopped`)))
              ),
            { within: Duration.millis(millis), late }
          )
        const first = yield* Effect.forkChild(Effect.flip(hand("first", 2000)), { startImmediately: true })
        const second = yield* Effect.forkChild(Effect.flip(hand("second", 1000)), { startImmediately: true })
        const third = yield* Effect.forkChild(Effect.flip(hand("third", 3000)), { startImmediately: true })
        yield* TestClock.adjust(1500)
        expect(yield* Fiber.join(second)).toBe(late)
        expect(handled).toEqual(["first"])
        yield* TestClock.adjust(1000)
        expect(yield* Fiber.join(first)).toBe(late)
        yield* TestClock.adjust(1000)
        expect(yield* Fiber.join(third)).toBe(late)
        expect(handled).toEqual(["first", "first stopped", "third", "third stopped"])
        expect(
          yield* residents.hand(one, () => Effect.succeed("answered"), { within: Duration.minutes(1), late })
        ).toBe("answered")
      })
    ))

  it("answer a defect to its sender, and handle the next message", () =>
    withResidents(
      Effect.fnUntraced(function* (residents) {
        const exit = yield* Effect.exit(residents.hand(one, () => Effect.die("a mistake")))
        expect(exit).toEqual(Exit.die("a mistake"))
        expect(yield* residents.hand(one, () => Effect.succeed("answered"))).toBe("answered")
      })
    ))

  it("refuse what waits beyond the mailbox of one journey", () =>
    withResidents(
      Effect.fnUntraced(function* (residents) {
        // One is being handled, and the others fill the mailbox.
        for (let count = 0; count <= journeyActorLimits.mailboxCapacity; count++) {
          yield* Effect.forkChild(
            residents.hand(one, () => Effect.never),
            { startImmediately: true }
          )
        }
        const refused = yield* Effect.flip(residents.hand(one, () => Effect.void))
        expect(refused).toMatchObject({ _tag: "JourneyBusy" })
      })
    ))

  it("leave memory when they get no message for a while, but never while they handle one", () => {
    const made: Array<string> = []
    return withResidents(
      Effect.fnUntraced(function* (residents) {
        yield* Effect.forkChild(
          residents.hand(one, () => Effect.never),
          { startImmediately: true }
        )
        yield* residents.hand(another, () => Effect.void)
        expect(residents.count()).toBe(2)
        yield* TestClock.adjust(Duration.times(journeyActorLimits.idleTime, 3))
        expect(residents.count()).toBe(1)
        yield* residents.hand(another, () => Effect.void)
        expect(made).toEqual(["one", "another", "another"])
        // Whoever gets messages stays, however long ago the first one came.
        for (let count = 0; count < 4; count++) {
          yield* TestClock.adjust(Duration.times(journeyActorLimits.idleTime, 0.75))
          yield* residents.hand(another, () => Effect.void)
        }
        expect(made).toEqual(["one", "another", "another"])
      }),
      (id) => {
        made.push(id)
        return idle
      }
    )
  })

  it("make room for a journey more than fits: the one that was used longest ago leaves", () => {
    const made: Array<string> = []
    return withResidents(
      Effect.fnUntraced(function* (residents) {
        for (let count = 0; count < journeyActorLimits.mostInMemory; count++) {
          yield* residents.hand(JourneyId.make(String(count)), nothing)
        }
        yield* residents.hand(JourneyId.make("0"), nothing)
        yield* residents.hand(JourneyId.make("one more"), nothing)
        expect(residents.count()).toBe(journeyActorLimits.mostInMemory)
        made.length = 0
        yield* residents.hand(JourneyId.make("0"), nothing)
        yield* residents.hand(JourneyId.make("1"), nothing)
        expect(made).toEqual(["1"])
      }),
      (id) => {
        made.push(id)
        return idle
      }
    )
  })

  it("never make room by a journey that handles a message, and refuse one more when all do", () => {
    const made: Array<string> = []
    return withResidents(
      Effect.fnUntraced(function* (residents) {
        for (let count = 0; count < journeyActorLimits.mostInMemory; count++) {
          yield* Effect.forkChild(
            residents.hand(JourneyId.make(String(count)), () => (count === 1 ? Effect.void : Effect.never)),
            { startImmediately: true }
          )
        }
        made.length = 0
        // The one that handles none, though it was not the first, leaves.
        yield* Effect.forkChild(
          residents.hand(another, () => Effect.never),
          { startImmediately: true }
        )
        expect(made).toEqual(["another"])
        expect(residents.count()).toBe(journeyActorLimits.mostInMemory)
        expect(yield* Effect.flip(residents.hand(JourneyId.make("1"), nothing))).toMatchObject({ _tag: "JourneyBusy" })
        yield* Effect.forkChild(residents.hand(JourneyId.make("0"), nothing), { startImmediately: true })
        expect(made).toEqual(["another"])
      }),
      (id) => {
        made.push(id)
        return idle
      }
    )
  })

  it("of a node that stops end the message they handle, give back what waits, and leave memory", () =>
    withResidents(
      Effect.fnUntraced(function* (residents, stop) {
        const begun = yield* Deferred.make<void>()
        const last = yield* Deferred.make<string>()
        const handled = yield* Effect.forkChild(
          residents.hand(one, () => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(last))),
          { startImmediately: true }
        )
        const waiting = yield* Effect.forkChild(
          residents.hand(one, () => Effect.succeed("too late")),
          { startImmediately: true }
        )
        yield* Deferred.await(begun)
        const stopped = yield* Effect.forkChild(stop, { startImmediately: true })
        expect(residents.isRunning()).toBe(false)
        expect(Exit.hasInterrupts(yield* Fiber.await(waiting))).toBe(true)
        yield* Deferred.succeed(last, "done")
        expect(yield* Fiber.join(handled)).toBe("done")
        yield* Fiber.join(stopped)
        expect(Exit.hasInterrupts(yield* Effect.exit(residents.hand(one, () => Effect.void)))).toBe(true)
        expect(residents.count()).toBe(0)
      })
    ))

  it("of a node that stops are given up when a message does not end in time", () =>
    withResidents(
      Effect.fnUntraced(function* (residents, stop) {
        const stuck = yield* Effect.forkChild(
          residents.hand(one, () => Effect.never),
          { startImmediately: true }
        )
        const stopped = yield* Effect.forkChild(stop, { startImmediately: true })
        yield* TestClock.adjust(journeyActorLimits.messagesEndWithin)
        yield* Fiber.join(stopped)
        expect(Exit.hasInterrupts(yield* Fiber.await(stuck))).toBe(true)
      })
    ))
})
