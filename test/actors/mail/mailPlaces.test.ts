/** The places for mail that leaves through a server: what the next look may take up, and for how long it may try. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { mailLimits } from "../../../src/actors/mail/limits.ts"
import { makeMailPlaces, unsharedPlaces } from "../../../src/actors/mail/mailPlaces.ts"
import { CompanyId } from "../../../src/schema/ids.ts"

const {
  askedOnTop,
  keptForAsked,
  keptSendWithin,
  mostInHand,
  mostOfOneCompany,
  mostWhileSlow,
  sendWithin,
  slowAfter,
  slowFor
} = mailLimits

const liveOf = (name: string) => ({ companyId: CompanyId.make(name), livemode: true })
const testOf = (name: string) => ({ companyId: CompanyId.make(name), livemode: false })

const filled = (...names: ReadonlyArray<string>) => {
  const places = makeMailPlaces()
  for (const name of names) for (let mail = 0; mail < mostOfOneCompany; mail++) places.take(liveOf(name))
  return places
}

describe("the places for mail", () => {
  it("are a share for each company, and the last ones are left free", () => {
    const places = filled("one")
    const room = places.room(mostInHand - mostOfOneCompany)
    assert.strictEqual(room.most, mostInHand - mostOfOneCompany - keptForAsked)
    assert.deepStrictEqual(room.leftOf, [{ ...liveOf("one"), left: 0 }])
    assert.isFalse(room.isForAsked)
    assert.deepStrictEqual(room.within, sendWithin)
    assert.isTrue(places.isHeldBack())
  })

  it("are all there for the built-in mailbox, whose statement ends a try without a second time-out", () => {
    const room = unsharedPlaces.room(mostInHand)
    assert.strictEqual(room.most, mostInHand)
    assert.isNull(room.within)
  })

  it("that are kept are for short tries of mail that was asked for, when the others are taken", () => {
    const room = filled("one", "two").room(keptForAsked)
    assert.strictEqual(room.most, keptForAsked)
    assert.isTrue(room.isForAsked)
    assert.deepStrictEqual(room.within, keptSendWithin)
    assert.isBelow(Duration.toMillis(keptSendWithin), Duration.toMillis(sendWithin))
  })

  it("are given back", () => {
    const places = filled("one", "two")
    for (let mail = 0; mail < mostOfOneCompany; mail++) places.leave(liveOf("one"))
    const room = places.room(mostInHand - mostOfOneCompany)
    assert.isFalse(room.isForAsked)
    assert.deepStrictEqual(room.leftOf, [{ ...liveOf("two"), left: 0 }])
  })

  it("are fewer for mail about test journeys, and a slow try of such mail leaves the live share as it was", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const places = makeMailPlaces()
        assert.isBelow(places.room(mostInHand).mostTestMailsOfOne, mostOfOneCompany)
        const trying = yield* Effect.forkChild(places.timed(testOf("one"), Effect.sleep(slowAfter)), {
          startImmediately: true
        })
        yield* TestClock.adjust(slowAfter)
        yield* Fiber.join(trying)
        places.take(liveOf("one"))
        assert.deepStrictEqual(places.room(mostInHand).leftOf, [
          { ...testOf("one"), left: mostWhileSlow },
          { ...liveOf("one"), left: mostOfOneCompany - 1 }
        ])
        yield* places.timed(testOf("one"), Effect.void)
        assert.deepStrictEqual(places.room(mostInHand).leftOf, [{ ...liveOf("one"), left: mostOfOneCompany - 1 }])
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("are shared as before with a company whose last try was slow and long ago", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const places = makeMailPlaces()
        const slow = Effect.forkChild(places.timed(liveOf("one"), Effect.sleep(slowAfter)), { startImmediately: true })
        const trying = yield* slow
        yield* TestClock.adjust(slowAfter)
        yield* Fiber.join(trying)
        yield* TestClock.adjust(Duration.subtract(slowFor, Duration.millis(1)))
        yield* places.timed(liveOf("two"), Effect.void)
        assert.deepStrictEqual(places.room(mostInHand).leftOf, [{ ...liveOf("one"), left: mostWhileSlow }])
        yield* TestClock.adjust("1 millis")
        yield* places.timed(liveOf("two"), Effect.void)
        assert.deepStrictEqual(places.room(mostInHand).leftOf, [])
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("are enough for mail to sign in beside any one company", () => {
    assert.isAbove(mostInHand, mostOfOneCompany + askedOnTop)
    assert.isAtLeast(keptForAsked, askedOnTop)
  })
})
