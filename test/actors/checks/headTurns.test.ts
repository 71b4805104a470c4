/** Which turns are asked for, and which ones a row of looks shows: the rule alone, on numbers such as landmarks give. */
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { drawnTurns, looksBetween, outcomeOfTurns, turnsSeen } from "../../../src/actors/checks/video/headTurns.ts"
import { challengeLimits } from "../../../src/actors/checks/limits.ts"
import type { HeadTurn } from "../../../src/schema/media/headTurns.ts"

const looks = (...turned: ReadonlyArray<number | null>) => turned.map((one) => ({ turned: one }))
const seenIn = (...turned: ReadonlyArray<number | null>) => turnsSeen(looks(...turned)).map(({ turn }) => turn)

const { farthestAhead, leastTurned } = challengeLimits
const turn = fc.constantFrom<HeadTurn>("LEFT", "RIGHT")
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const ahead = number(-farthestAhead, farthestAhead)
const unsure = fc.oneof(fc.constant(null), number(farthestAhead + 0.001, leastTurned - 0.001))
const turnedTo = (side: HeadTurn) => number(leastTurned, 0.5).map((far) => (side === "LEFT" ? far : -far))

/** Looks of a head that turns so, with looks in between that show nothing clearly. */
const lookedAt = (turns: ReadonlyArray<HeadTurn>) =>
  fc
    .tuple(
      ahead,
      ...turns.map((side) =>
        fc.tuple(
          fc.array(unsure, { maxLength: 2 }),
          fc.array(turnedTo(side), { minLength: 1, maxLength: 3 }),
          fc.array(unsure, { maxLength: 2 }),
          ahead
        )
      )
    )
    .map(([first, ...rest]) =>
      looks(first, ...rest.flatMap(([before, far, after, again]) => [...before, ...far, ...after, again]))
    )

describe("the turns that are asked for", () => {
  it("are so many as the limit says, and over many draws every order comes", () => {
    const drawn = Array.from({ length: 400 }, () => drawnTurns(randomUUID()).join())
    expect(new Set(drawn).size).toBe(2 ** challengeLimits.turns)
  })
})

describe("the turns that looks show", () => {
  it("are those of the head, whatever unsure looks lie between", () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 5 }).chain((turns) => fc.tuple(fc.constant(turns), lookedAt(turns))),
        ([turns, all]) => {
          expect(turnsSeen(all).map((seen) => seen.turn)).toEqual(turns)
          expect(outcomeOfTurns(turns, turnsSeen(all))).toBe("MET")
        }
      )
    )
  })

  it("are none for a picture that does not turn, however it faces", () => {
    fc.assert(
      fc.property(number(-0.5, 0.5), fc.integer({ min: 1, max: 40 }), (faces, count) => {
        expect(seenIn(...Array.from({ length: count }, () => faces))).toEqual([])
      })
    )
  })

  it("are the other ones in a mirrored recording, which never meets what was asked", () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 4 }).chain((turns) => fc.tuple(fc.constant(turns), lookedAt(turns))),
        ([turns, all]) => {
          const mirrored = all.map(({ turned }) => ({ turned: turned === null ? null : -turned }))
          expect(outcomeOfTurns(turns, turnsSeen(mirrored))).toBe("OTHERS")
        }
      )
    )
  })

  it("begin only when the head was seen ahead, and count once for as long as it stays turned", () => {
    expect(seenIn(0.3, 0.3, null, 0.3)).toEqual([])
    expect(seenIn(0.3, 0, 0.3, 0.2, null, 0.4)).toEqual(["LEFT"])
    expect(seenIn(0, 0.3, 0, 0.3)).toEqual(["LEFT", "LEFT"])
    expect(seenIn(0, 0.3, -0.3)).toEqual(["LEFT", "RIGHT"])
    expect(seenIn(0, 0.3, 0.13, 0.3)).toEqual(["LEFT"])
    expect(turnsSeen(looks(0, 0.2, 0.35, 0.3))).toEqual([{ turn: "LEFT", begun: 1, farthest: 2 }])
  })
})

const of = (asked: ReadonlyArray<HeadTurn>, ...turned: ReadonlyArray<number | null>) =>
  outcomeOfTurns(asked, turnsSeen(looks(...turned)))

describe("an outcome", () => {
  it("asks for the first turns, and for nothing after them", () => {
    expect(of(["LEFT", "RIGHT"], 0, 0.3, 0, -0.3, 0, 0.3, -0.3)).toBe("MET")
    expect(of(["LEFT", "RIGHT"], 0, 0.3, 0)).toBe("NOT_SEEN")
    expect(of(["LEFT", "RIGHT"], 0, -0.3, 0)).toBe("OTHERS")
    expect(of(["LEFT", "RIGHT"], 0, 0.3, 0, 0.3, 0, -0.3)).toBe("OTHERS")
    expect(of(["LEFT"])).toBe("NOT_SEEN")
  })

  it("is never met where nothing was asked", () => {
    expect(of([], 0, 0.3, 0)).toBe("NOT_SEEN")
  })
})

it("the face between the turns is looked for straight ahead, after the first and before the last", () => {
  const all = looks(0, 0.3, 0.08, 0.01, null, -0.05, 0.02, -0.3, 0)
  expect(looksBetween(all, turnsSeen(all), 2)).toEqual([3, 6, 5])
  expect(looksBetween(looks(0, 0.3), turnsSeen(looks(0, 0.3)), 2)).toEqual([])
})
