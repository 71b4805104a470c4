import { assert, describe, it } from "@effect/vitest"
import { makeBodyPace } from "../../../src/http/server/BodyPace.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"

const { bodyBytesPerTurn, bodyPieceBytes } = httpLimits
const piecesPerTurn = bodyBytesPerTurn / bodyPieceBytes

/** An event loop whose turns are made by hand, and bodies that bring one piece whenever they are let. */
const loop = () => {
  let ahead: (() => void) | null = null
  const pace = makeBodyPace((turn) => {
    assert.isNull(ahead, "one turn is ahead at most")
    ahead = turn
  })
  const brought: Array<string> = []
  const body = (name: string, pieces: number) => {
    let left = pieces
    let isPaused = false
    const source = {
      pause: () => {
        isPaused = true
      },
      resume: () => {
        isPaused = false
        bring()
      }
    }
    const bring = () => {
      if (isPaused || left === 0) return
      left -= 1
      brought.push(name)
      pace(source, bodyPieceBytes)
      bring()
    }
    return { bring, isPaused: () => isPaused }
  }
  /** What came in this turn. */
  const turn = (): ReadonlyArray<string> => {
    const next = ahead
    ahead = null
    next?.()
    return brought.splice(0)
  }
  return { body, brought, turn, isTurnAhead: () => ahead !== null }
}

describe("large bodies", () => {
  it("bring a bounded number of bytes together in a turn of the loop", () => {
    const { body, turn } = loop()
    for (let at = 0; at < 30; at += 1) body(`body ${at}`, 16).bring()
    // Each was read once before it could be told to wait.
    turn()
    for (let turns = 0; turns < 100; turns += 1) assert.strictEqual(turn().length, piecesPerTurn)
  })

  it("that nobody waits beside bring all that a turn is for", () => {
    const { body, brought, turn } = loop()
    body("alone", 3 * piecesPerTurn).bring()
    const first = brought.splice(0)
    assert.deepStrictEqual(
      [first, turn(), turn()].map(({ length }) => length),
      [piecesPerTurn, piecesPerTurn, piecesPerTurn]
    )
  })

  it("take turns in the order in which they came", () => {
    const { body, turn } = loop()
    const names = ["first", "second", "third", "fourth"]
    for (const name of names) body(name, 16).bring()
    turn()
    assert.deepStrictEqual([...turn(), ...turn(), ...turn()].slice(0, names.length), [
      "third",
      "fourth",
      "first",
      "second"
    ])
  })

  it("all come to their end, and then no turn is asked for any more", () => {
    const { body, brought, turn, isTurnAhead } = loop()
    const bodies = Array.from({ length: 30 }, (_, at) => body(`body ${at}`, 16))
    for (const one of bodies) one.bring()
    const all = brought.splice(0)
    for (let turns = 0; isTurnAhead() && turns < 1000; turns += 1) all.push(...turn())
    assert.isFalse(isTurnAhead())
    assert.deepStrictEqual(
      [...Map.groupBy(all, (name) => name).values()].map((pieces) => pieces.length),
      bodies.map(() => 16)
    )
    assert.isFalse(bodies.some(({ isPaused }) => isPaused()))
  })

  it("wait for no body that has nothing to bring", () => {
    const { body, turn } = loop()
    const standing = Array.from({ length: 10 }, (_, at) => body(`standing ${at}`, piecesPerTurn))
    for (const one of standing) one.bring()
    const moving = body("moving", 3)
    moving.bring()
    const turns = Array.from({ length: 20 }, turn)
    assert.lengthOf(
      turns.flat().filter((name) => name === "moving"),
      3
    )
  })
})
