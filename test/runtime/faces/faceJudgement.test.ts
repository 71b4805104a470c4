import { expect, test } from "vitest"
import {
  compare,
  isSteady,
  judge,
  similarity,
  type Face,
  type FaceJudgement
} from "../../../src/runtime/faces/networks/faceJudgement.ts"
import {
  backgroundFacePart,
  clearScore,
  differentPersonDistance,
  leastFaceSide,
  leastSharpness,
  mostFacesBeside,
  mostWavering,
  samePersonDistance
} from "../../../src/runtime/faces/networks/faceThresholds.ts"

const face = ({ height = 200, score = 0.9, sharpness = 0.1 } = {}): Face => ({
  box: { x: 0, y: 0, width: 150, height },
  score,
  sharpness
})

/** As little as makes a difference. */
const bit = 1e-6

const judgements: ReadonlyArray<readonly [what: string, faces: ReadonlyArray<Face>, tag: FaceJudgement["_tag"]]> = [
  ["no face", [], "NO_FACE"],
  ["a face the detector is just sure enough of", [face({ score: clearScore })], "ONE_FACE"],
  ["a face it is not sure enough of", [face({ score: clearScore - bit })], "NO_FACE"],
  ["a face just large enough", [face({ height: leastFaceSide })], "ONE_FACE"],
  ["a face a little smaller", [face({ height: leastFaceSide - bit })], "FACE_TOO_SMALL"],
  ["a face just sharp enough", [face({ sharpness: leastSharpness })], "ONE_FACE"],
  ["a face a little less sharp", [face({ sharpness: leastSharpness - bit })], "NO_FACE"],
  ["a second face just large enough to count", [face(), face({ height: 200 * backgroundFacePart })], "MULTIPLE_FACES"],
  ["a second face just too small to count", [face(), face({ height: 200 * backgroundFacePart - bit })], "ONE_FACE"],
  ["a second face that is unsure", [face(), face({ score: clearScore - bit })], "ONE_FACE"],
  ["two small faces", [face({ height: 20 }), face({ height: 20 })], "MULTIPLE_FACES"],
  ["two blurred faces", [face({ sharpness: 0 }), face({ sharpness: 0 })], "MULTIPLE_FACES"],
  ["a small blurred face", [face({ height: 20, sharpness: 0 })], "FACE_TOO_SMALL"]
]

test.each(judgements)("judges %s", (_, faces, tag) => {
  expect(judge(faces)._tag).toBe(tag)
})

test("gives the largest face, in whatever order they were found", () => {
  const [largest, other] = [face(), face({ height: 50, score: 0.99 })]
  expect(judge([other, largest])).toEqual({ _tag: "ONE_FACE", face: largest, beside: [] })
})

test("gives the faces of the background that can be known, largest first, and no more than some", () => {
  const [largest, next, last] = [face({ height: 400 }), face({ height: 190 }), face({ height: leastFaceSide })]
  const unknown = [
    face({ height: leastFaceSide - bit }),
    face({ height: 180, sharpness: leastSharpness - bit }),
    face({ height: 180, score: clearScore - bit })
  ]
  expect(judge([last, ...unknown, largest, next])).toEqual({ _tag: "ONE_FACE", face: largest, beside: [next, last] })
  const crowd = Array.from({ length: mostFacesBeside + 1 }, () => next)
  expect(judge([largest, ...crowd])).toMatchObject({ beside: crowd.slice(1) })
})

test("accepts landmarks as those of a face while they hardly move", () => {
  expect(isSteady(mostWavering)).toBe(true)
  expect(isSteady(mostWavering + bit)).toBe(false)
  expect(isSteady(Number.NaN)).toBe(false)
})

const nothing = new Float32Array(128)
const away = (distance: number): Float32Array => nothing.with(7, distance)

test.each([
  [0, "SAME"],
  [samePersonDistance - bit, "SAME"],
  [samePersonDistance + bit, "UNCLEAR"],
  [differentPersonDistance - bit, "UNCLEAR"],
  [differentPersonDistance + bit, "DIFFERENT"]
])("compares faces that are %f apart: %s", (distance, verdict) => {
  expect(compare(nothing, away(distance))).toBe(verdict)
  expect(compare(away(distance), nothing)).toBe(verdict)
})

test("says how similar two faces are, from 1 to 0", () => {
  expect(similarity(nothing, nothing)).toBe(1)
  expect(similarity(nothing, away(0.25))).toBe(0.75)
  expect(similarity(nothing, away(3))).toBe(0)
})

test("refuses to compare numbers of different networks", () => {
  expect(() => compare(nothing, new Float32Array(64))).toThrow(RangeError)
})
