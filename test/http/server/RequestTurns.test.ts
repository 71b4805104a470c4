import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { CurrentWorkFor } from "../../../src/actors/kernel/WorkFor.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { makeTurns } from "../../../src/http/server/RequestTurns.ts"

const { mostRequestsWaiting } = httpLimits
const perTurn = 4

/** An event loop whose turns are made by hand. A request that has begun never ends. */
const loop = () => {
  let ahead: (() => void) | null = null
  const turns = makeTurns(perTurn, (turn) => {
    assert.isNull(ahead, "one turn is ahead at most")
    ahead = turn
  })
  const begun: Array<string> = []
  const send = (companyId: string, livemode = true) =>
    turns.take.pipe(
      Effect.andThen(Effect.sync(() => begun.push(companyId))),
      Effect.andThen(Effect.never),
      Effect.provideService(CurrentWorkFor, { companyId, livemode, who: "" }),
      Effect.forkChild({ startImmediately: true })
    )
  /** What begins in the next turn. */
  const turn = (): ReadonlyArray<string> => {
    const next = ahead
    ahead = null
    next?.()
    return begun.splice(0)
  }
  return { send, turn, inThisTurn: () => begun.splice(0), isTurnAhead: () => ahead !== null }
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
