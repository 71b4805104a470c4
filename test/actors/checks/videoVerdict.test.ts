/** The verdict on a handover video from what its frames show. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isMatchAlready,
  judgedVideo,
  videoVerdict,
  type PictureShown
} from "../../../src/actors/checks/video/videoVerdict.ts"

type Likeness = "SAME" | "DIFFERENT" | "UNCLEAR"

const letters = { S: "SAME", D: "DIFFERENT", U: "UNCLEAR" } as const
const framesOf = (text: string): ReadonlyArray<Likeness> =>
  Array.from(text, (letter) => letters[letter as keyof typeof letters])

const judged = (frames: string, shown: PictureShown) => judgedVideo(framesOf(frames), 0, shown)

describe("the verdict on a video", () => {
  it.each([
    ["SS", "MATCH", "two frames are enough"],
    ["SSUUUUUU", "MATCH", "frames that cannot be told say nothing against it"],
    ["SSSSSSSD", "MATCH", "one frame that looks like somebody else is a bad frame"],
    ["SSD", "MATCH", "the customer is seen more often"],
    ["S", "UNCLEAR", "one frame decides nothing"],
    ["SUUUUUUU", "UNCLEAR", "one frame decides nothing, whatever the others"],
    ["SSDD", "UNCLEAR", "two people are seen as often as each other"],
    ["SSDDDDDD", "UNCLEAR", "somebody else is seen more often, and the customer all the same"],
    ["SDDDDDDD", "UNCLEAR", "the customer may be the one who was seen"],
    ["DD", "MISMATCH", "two frames are enough"],
    ["DDDDDUUU", "MISMATCH", "most frames show somebody else"],
    ["DDUU", "UNCLEAR", "no more than half of them do"],
    ["D", "UNCLEAR", "one frame decides nothing"],
    ["UUUUUUUU", "UNCLEAR", "nothing can be told"],
    ["", "UNCLEAR", "no frame shows a face"]
  ])("of %s is %s: %s", (frames, verdict) => {
    expect(videoVerdict(framesOf(frames))).toBe(verdict)
  })

  it.each([
    ["SS", 0, []],
    ["DD", 0, ["VIDEO_MISMATCH"]],
    ["SSDD", 0, ["SEVERAL_PEOPLE"]],
    ["SDDDDDDD", 0, ["VIDEO_UNCLEAR"]],
    ["UU", 3, ["VIDEO_UNCLEAR"]],
    ["", 3, ["SEVERAL_PEOPLE"]],
    ["", 0, ["NO_FACE"]]
  ])("of %s and %d frames with several faces says why: %s", (frames, crowded, reasons) => {
    expect(judgedVideo(framesOf(frames), crowded, "MOVING").reasons).toEqual(reasons)
  })

  it("that shows the reference photo, or one picture all the time, goes to a person, and tells no other verdict apart", () => {
    expect(judged("SSSSS", "REFERENCE")).toEqual({ verdict: "UNCLEAR", reasons: ["SAME_PICTURE"] })
    expect(judged("SSSSS", "STILL")).toEqual({ verdict: "UNCLEAR", reasons: ["STILL_PICTURE"] })
    expect(judged("SSSSS", "MOVING")).toEqual({ verdict: "MATCH", reasons: [] })
    expect(judged("DD", "STILL")).toEqual({ verdict: "MISMATCH", reasons: ["VIDEO_MISMATCH"] })
  })

  const anyFrames = fc.array(fc.constantFrom<Likeness>("SAME", "DIFFERENT", "UNCLEAR"), { maxLength: 8 })

  it("does not depend on the order of the frames", () => {
    fc.assert(
      fc.property(anyFrames, (frames) => {
        expect(videoVerdict(frames.toSorted())).toBe(videoVerdict(frames))
      })
    )
  })

  it("is never a match without two frames of the customer, nor a mismatch with one", () => {
    fc.assert(
      fc.property(anyFrames, (frames) => {
        const same = frames.filter((one) => one === "SAME").length
        if (same < 2) expect(videoVerdict(frames)).not.toBe("MATCH")
        if (same > 0) expect(videoVerdict(frames)).not.toBe("MISMATCH")
      })
    )
  })

  it("is known to be a match only when no frame to come can change it", () => {
    fc.assert(
      fc.property(anyFrames, anyFrames, (compared, toCome) => {
        if (isMatchAlready(compared, toCome.length)) expect(videoVerdict([...compared, ...toCome])).toBe("MATCH")
      })
    )
    expect(isMatchAlready(framesOf("SSSSS"), 3)).toBe(true)
    expect(isMatchAlready(framesOf("SSSS"), 4)).toBe(false)
  })
})
