import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { FaceCheckUnavailable, FaceRefused, type CleanPhoto } from "../../../src/actors/faces/FaceCheck.ts"
import { sharedLooks } from "../../../src/runtime/faces/looks/sharedLooks.ts"

/** Looks that end when told. */
const looks = Effect.gen(function* () {
  type Answer = Deferred.Deferred<CleanPhoto, FaceRefused | FaceCheckUnavailable>
  const begun: Array<{ readonly photo: string; readonly answer: Answer }> = []
  const check = yield* sharedLooks((photo: Uint8Array) =>
    Effect.gen(function* () {
      const answer: Answer = yield* Deferred.make<CleanPhoto, FaceRefused | FaceCheckUnavailable>()
      begun.push({ photo: String.fromCharCode(...photo), answer })
      return yield* Deferred.await(answer)
    })
  )
  return {
    begun,
    check: (photo: string) => check(new TextEncoder().encode(photo)),
    /** Waits until so many looks have begun. */
    until: (count: number) =>
      Effect.andThen(Effect.yieldNow, Effect.void).pipe(Effect.repeat({ until: () => begun.length >= count }))
  }
})

const seen = (photo: string): CleanPhoto => ({
  jpeg: new TextEncoder().encode(`seen ${photo}`),
  print: new Uint8Array(),
  facePart: 0.2
})
const unavailable = new FaceCheckUnavailable()

describe("the same photo, asked for by several at once", () => {
  it.effect("is looked at once for all of them", () =>
    Effect.gen(function* () {
      const { begun, check, until } = yield* looks
      const asking = yield* Effect.forkChild(
        Effect.all([check("a"), check("b"), check("a"), check("a")], { concurrency: "unbounded" })
      )
      yield* until(2)
      expect(begun.map(({ photo }) => photo).toSorted()).toEqual(["a", "b"])
      for (const { answer, photo } of begun) yield* Deferred.succeed(answer, seen(photo))
      expect(yield* Fiber.join(asking)).toEqual([seen("a"), seen("b"), seen("a"), seen("a")])
    })
  )

  it.effect("is refused for all of them alike", () =>
    Effect.gen(function* () {
      const { begun, check, until } = yield* looks
      const asking = yield* Effect.forEach([1, 2], () => Effect.forkChild(Effect.flip(check("a"))))
      yield* until(1)
      const refusal = new FaceRefused({ code: "NO_FACE" })
      yield* Deferred.fail(begun[0]!.answer, refusal)
      expect(yield* Fiber.joinAll(asking)).toEqual([refusal, refusal])
    })
  )

  it.effect("is looked at again once somebody has heard the answer", () =>
    Effect.gen(function* () {
      const { begun, check, until } = yield* looks
      for (const time of [1, 2]) {
        const asking = yield* Effect.forkChild(check("a"))
        yield* until(time)
        yield* Deferred.succeed(begun[time - 1]!.answer, seen(`${time}`))
        expect(yield* Fiber.join(asking)).toEqual(seen(`${time}`))
      }
    })
  )
})

describe("a look that takes too long", () => {
  it.effect("does not keep callers waiting, goes on, and is there for a caller who comes back", () =>
    Effect.gen(function* () {
      const { begun, check, until } = yield* looks
      const first = yield* Effect.forkChild(Effect.flip(check("a")))
      yield* until(1)
      yield* TestClock.adjust("9 seconds")
      expect(yield* Fiber.join(first)).toEqual(unavailable)
      const second = yield* Effect.forkChild(check("a"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(begun[0]!.answer, seen("a"))
      yield* TestClock.adjust("14 seconds")
      expect(yield* check("a")).toEqual(seen("a"))
      expect(begun).toHaveLength(1)
    })
  )

  it.effect("is forgotten when nobody comes back", () =>
    Effect.gen(function* () {
      const { begun, check, until } = yield* looks
      const first = yield* Effect.forkChild(check("a"))
      yield* until(1)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(begun[0]!.answer, seen("a"))
      yield* TestClock.adjust("15 seconds")
      yield* Effect.forkChild(check("a"))
      yield* until(2)
    })
  )

  it.effect("is forgotten at once when it has no verdict", () =>
    Effect.gen(function* () {
      const { begun, check, until } = yield* looks
      const first = yield* Effect.forkChild(check("a"))
      yield* until(1)
      yield* Fiber.interrupt(first)
      yield* Deferred.fail(begun[0]!.answer, unavailable)
      yield* Effect.yieldNow
      yield* Effect.forkChild(check("a"))
      yield* until(2)
    })
  )
})
