import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { CurrentWorkFor } from "../../../src/actors/kernel/WorkFor.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { makeTurns } from "../../../src/http/server/admission/RequestTurns.ts"

const { crowd, longestCrowdPause, lookAgainAfter, mostRequestsWaiting, othersAskedWithin, shareOfCrowds } = httpLimits
const perTurn = 4

/** An event loop whose turns, time and idleness are made by hand. A request that has begun never ends. */
const loop = () => {
  let ahead: (() => void) | null = null
  let look: (() => void) | null = null
  let now = 0
  let busy = 0
  let busyMillis = 0
  const turns = makeTurns(perTurn, {
    inNextTurn: (turn) => {
      assert.isNull(ahead, "one turn is ahead at most")
      ahead = turn
    },
    after: (millis, turn) => {
      assert.strictEqual(millis, lookAgainAfter)
      assert.isNull(look, "one look is ahead at most")
      look = turn
    },
    now: () => now,
    measureBusy: () => {
      const begun = { now, busyMillis }
      return () => (now === begun.now ? busy : (busyMillis - begun.busyMillis) / (now - begun.now))
    }
  })
  const begun: Array<string> = []
  const send = (companyId: string, livemode = true) =>
    turns.take.pipe(
      Effect.andThen(Effect.sync(() => begun.push(companyId))),
      Effect.andThen(Effect.never),
      Effect.provideService(CurrentWorkFor, { companyId, livemode, who: "" }),
      Effect.forkChild({ startImmediately: true })
    )
  const made = (next: (() => void) | null): ReadonlyArray<string> => {
    next?.()
    return begun.splice(0)
  }
  /** What begins in the next turn. */
  const turn = (): ReadonlyArray<string> => {
    const next = ahead
    ahead = null
    return made(next)
  }
  /** What begins when a pause is looked at again. */
  const lookAgain = (): ReadonlyArray<string> => {
    const next = look
    look = null
    return made(next)
  }
  return {
    send,
    turn,
    lookAgain,
    inThisTurn: () => begun.splice(0),
    isTurnAhead: () => ahead !== null,
    isLookAhead: () => look !== null,
    pass: (millis: number) => {
      now += millis
      busyMillis += millis * busy
    },
    beBusy: (share: number) => (busy = share)
  }
}

const times = (count: number) => Array.from({ length: count }, (_, at) => at)
const all = (company: string, count: number): ReadonlyArray<string> => times(count).map(() => company)

describe("requests", () => {
  it.effect("begin a few in a turn of the loop, however many arrive in it and whatever becomes of those before", () =>
    Effect.gen(function* () {
      const { inThisTurn, isTurnAhead, send, turn } = loop()
      for (const _ of times(3 * perTurn)) yield* send("loud")
      assert.deepStrictEqual(inThisTurn(), all("loud", perTurn))
      assert.deepStrictEqual(turn(), all("loud", perTurn))
      assert.deepStrictEqual(turn(), all("loud", perTurn))
      assert.deepStrictEqual(turn(), [])
      assert.isFalse(isTurnAhead(), "a loop with nothing to begin is left alone")
    })
  )

  it.effect("of a company that has sent few begin in the next turn, beside another company's hundreds", () =>
    Effect.gen(function* () {
      const { inThisTurn, send, turn } = loop()
      for (const _ of times(300)) yield* send("loud")
      yield* send("quiet")
      inThisTurn()
      assert.include(turn(), "quiet")
    })
  )

  it.effect("with live keys begin before those with test keys", () =>
    Effect.gen(function* () {
      const { inThisTurn, send, turn } = loop()
      for (const _ of times(perTurn)) yield* send("any")
      inThisTurn()
      for (const _ of times(perTurn)) yield* send("test", false)
      for (const _ of times(perTurn)) yield* send("live")
      assert.deepStrictEqual(turn(), all("live", perTurn))
      assert.deepStrictEqual(turn(), all("test", perTurn))
    })
  )

  it.effect("that their callers give up cost no turn", () =>
    Effect.gen(function* () {
      const { inThisTurn, send, turn } = loop()
      for (const _ of times(perTurn)) yield* send("any")
      const given = []
      for (const _ of times(perTurn)) given.push(yield* send("gone"))
      for (const _ of times(perTurn)) yield* send("stays")
      inThisTurn()
      yield* Fiber.interruptAll(given)
      assert.deepStrictEqual(turn(), all("stays", perTurn))
      yield* send("later")
      yield* send("later")
      assert.deepStrictEqual(turn(), ["later", "later"])
    })
  )

  it.effect("beyond the bound of those that wait are asked to come again", () =>
    Effect.gen(function* () {
      const { send } = loop()
      for (const _ of times(perTurn + mostRequestsWaiting)) yield* send("loud")
      const refused = yield* Fiber.await(yield* send("loud"))
      assert.match(JSON.stringify(refused), /TEMPORARILY_UNAVAILABLE/)
    })
  )
})

/** A crowd of one company, and a loop that is busier than a crowd may make it. Beside it a company asks for little. */
const besideCrowd = Effect.fnUntraced(function* (others: ReadonlyArray<string>) {
  const made = loop()
  made.beBusy(shareOfCrowds + 0.01)
  for (const other of others) yield* made.send(other)
  for (const _ of times(perTurn + 3 * crowd)) yield* made.send("crowd")
  made.inThisTurn()
  return made
})

describe("a crowd of one company's requests", () => {
  it.effect("pauses while the loop is busy and another company asks for little", () =>
    Effect.gen(function* () {
      const { isLookAhead, isTurnAhead, lookAgain, turn } = yield* besideCrowd(["quiet"])
      assert.deepStrictEqual(turn(), [])
      assert.deepStrictEqual(lookAgain(), [])
      assert.isFalse(isTurnAhead(), "a loop that turned for the crowd's sake would never be idle")
      assert.isTrue(isLookAhead())
    })
  )

  it.effect("lets requests of the other company begin at once while it pauses", () =>
    Effect.gen(function* () {
      const { inThisTurn, lookAgain, send, turn } = yield* besideCrowd(["quiet"])
      turn()
      yield* send("quiet")
      assert.deepStrictEqual(inThisTurn(), ["quiet"])
      // The look for the crowd is ahead still, and is no turn more.
      assert.deepStrictEqual(turn(), [])
      for (const _ of times(perTurn + 1)) yield* send("quiet")
      assert.deepStrictEqual(inThisTurn(), all("quiet", perTurn))
      assert.deepStrictEqual(lookAgain(), [])
      assert.deepStrictEqual(turn(), ["quiet"])
    })
  )

  it.effect("goes on, a few in a turn, when the loop has been idle for the part of the others", () =>
    Effect.gen(function* () {
      const { beBusy, lookAgain, turn } = yield* besideCrowd(["quiet"])
      assert.deepStrictEqual(turn(), [])
      beBusy(shareOfCrowds)
      assert.deepStrictEqual(lookAgain(), all("crowd", perTurn))
      beBusy(1)
      assert.deepStrictEqual(turn(), [])
    })
  )

  it.effect("pauses again, but no longer, when its requests keep a loop busy that was idle before they began", () =>
    Effect.gen(function* () {
      const { beBusy, lookAgain, pass, send, turn } = yield* besideCrowd(["quiet"])
      assert.deepStrictEqual(turn(), [])
      beBusy(0)
      pass(longestCrowdPause - 1)
      assert.deepStrictEqual(lookAgain(), all("crowd", perTurn))
      beBusy(1)
      pass(longestCrowdPause - 1)
      yield* send("quiet")
      assert.deepStrictEqual(turn(), ["quiet"])
      pass(1)
      assert.deepStrictEqual(turn(), all("crowd", perTurn))
    })
  )

  it.effect("goes on after the longest pause, however busy the loop is", () =>
    Effect.gen(function* () {
      const { lookAgain, pass, turn } = yield* besideCrowd(["quiet"])
      assert.deepStrictEqual(turn(), [])
      pass(longestCrowdPause)
      assert.deepStrictEqual(lookAgain(), all("crowd", perTurn))
    })
  )

  it.effect("has the whole loop where nobody else asks, and when the others have not asked of late", () =>
    Effect.gen(function* () {
      const alone = yield* besideCrowd([])
      assert.deepStrictEqual(alone.turn(), all("crowd", perTurn))
      const afterwards = yield* besideCrowd(["quiet"])
      afterwards.turn()
      afterwards.pass(othersAskedWithin)
      afterwards.lookAgain()
      assert.deepStrictEqual(afterwards.turn(), all("crowd", perTurn))
    })
  )

  it.effect("pauses for others and not for a crowd of another company", () =>
    Effect.gen(function* () {
      const { pass, send, turn } = yield* besideCrowd([])
      for (const _ of times(3 * crowd)) yield* send("second crowd")
      pass(othersAskedWithin)
      assert.deepStrictEqual(turn(), ["crowd", "second crowd", "crowd", "second crowd"])
    })
  )

  it.effect("pauses for others and not for a crowd of test requests", () =>
    Effect.gen(function* () {
      const { pass, send, turn } = yield* besideCrowd([])
      for (const _ of times(3 * crowd)) yield* send("tests", false)
      pass(othersAskedWithin)
      assert.deepStrictEqual(turn(), all("crowd", perTurn))
      yield* send("tests", false)
      assert.deepStrictEqual(turn(), ["tests", ...all("crowd", perTurn - 1)])
    })
  )

  it.effect("pauses for no crowd of another company that has all of its requests begun and asks again", () =>
    Effect.gen(function* () {
      const { beBusy, inThisTurn, pass, send, turn } = loop()
      beBusy(1)
      for (const _ of times(perTurn + 2 * crowd)) yield* send("second crowd")
      pass(1)
      yield* send("second crowd")
      inThisTurn()
      while (turn().length > 0);
      // Its first requests, before it was a crowd, do not count any more.
      pass(othersAskedWithin - 1)
      for (const _ of times(perTurn + 3 * crowd)) yield* send("crowd")
      inThisTurn()
      assert.deepStrictEqual(turn(), all("crowd", perTurn))
      yield* send("second crowd")
      assert.deepStrictEqual(turn(), ["crowd", "second crowd", "crowd", "crowd"])
      pass(1)
      yield* send("second crowd")
      assert.deepStrictEqual(turn(), ["second crowd"])
    })
  )

  it.effect("pauses for another company that was a crowd long ago, also where an older crowd has come back", () =>
    Effect.gen(function* () {
      const { beBusy, pass, send, turn } = loop()
      for (const _ of times(perTurn + 2 * crowd)) yield* send("crowd")
      for (const _ of times(2 * crowd)) yield* send("once a crowd")
      while (turn().length > 0);
      pass(othersAskedWithin - 100)
      for (const _ of times(perTurn + 3 * crowd)) yield* send("crowd")
      pass(100)
      beBusy(1)
      yield* send("once a crowd")
      assert.include(turn(), "once a crowd")
      assert.deepStrictEqual(turn(), [])
    })
  )

  it.effect("pauses for the same company's other mode", () =>
    Effect.gen(function* () {
      const { send, turn } = yield* besideCrowd([])
      yield* send("crowd", false)
      assert.deepStrictEqual(turn(), all("crowd", 1))
      assert.deepStrictEqual(turn(), [])
    })
  )

  it.effect("ends when few requests of the company wait: they begin, however busy the loop is", () =>
    Effect.gen(function* () {
      const made = loop()
      made.beBusy(1)
      yield* made.send("quiet")
      const given = []
      for (const _ of times(perTurn - 1 + crowd)) given.push(yield* made.send("crowd"))
      made.inThisTurn()
      assert.deepStrictEqual(made.turn(), [])
      yield* Fiber.interrupt(given.at(-1)!)
      assert.deepStrictEqual(made.lookAgain(), all("crowd", perTurn))
    })
  )
})
