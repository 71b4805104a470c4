/** Which photos are one picture, by the prints of real photos. The squares are those that the networks found and straightened. */
import { describe, expect, it } from "vitest"
import { isSamePicture, pictureLikeness } from "../../../src/actors/faces/samePicture.ts"
import { facePrint } from "../../../src/runtime/faces/networks/facePrint.ts"
import type { Square } from "../../../src/runtime/faces/networks/faceSquare.ts"
import { cardOfFacePhoto, documentPhoto, facePhoto, facePhotoOf } from "../../support/photos.ts"
import { decoded } from "../../support/pictures.ts"
import { cuts, cutOut, light, mirrored, type Picture } from "./pictures.ts"

const square: Square = { centreX: 127, centreY: 182, side: 267, angle: -0.093 }
const printOf = (photo: Picture, at: Square = square) => facePrint(photo, at)
const face = decoded(facePhoto())
const print = printOf(face)

/** The networks never find quite the same square twice. */
const moved = (right: number, down: number, scale: number, angle = 0): Square => ({
  centreX: square.centreX + right,
  centreY: square.centreY + down,
  side: square.side * scale,
  angle: square.angle + angle
})

describe("one picture", () => {
  it.each(["progressive", "restart", "grey", "rgb", "ycck"] as const)(
    "stored anew (%s) is the same picture",
    (kind) => {
      expect(isSamePicture(print, printOf(decoded(facePhotoOf(kind))))).toBe(true)
    }
  )

  it.each([
    ["a little to the side", moved(18, -14, 1)],
    ["a little smaller", moved(8, 10, 0.9)],
    ["a little larger", moved(-10, -16, 1.12)],
    ["a little askew", moved(0, 0, 1, 0.05)]
  ])("whose face is found %s is the same picture", (_name, at) => {
    expect(isSamePicture(print, printOf(face, at))).toBe(true)
  })

  it("on a card that lies askew, greyish, is the same picture", () => {
    const card = printOf(decoded(cardOfFacePhoto()), { centreX: 273, centreY: 395, side: 257, angle: 0.136 })
    expect(isSamePicture(print, card)).toBe(true)
  })

  it("in other light, or mirrored, is the same picture", () => {
    expect(isSamePicture(print, printOf(light(face, 0.7)))).toBe(true)
    const { width } = face
    const there = { ...square, centreX: width - square.centreX, angle: -square.angle }
    expect(isSamePicture(print, printOf(mirrored(face), there))).toBe(true)
  })
})

describe("another picture", () => {
  it("of the same person is not the same picture: the portrait on a card that lies askew", () => {
    const card = printOf(decoded(documentPhoto()), { centreX: 256, centreY: 392, side: 260, angle: 0.141 })
    expect(pictureLikeness(print, card)).toBeLessThan(0.5)
    expect(isSamePicture(print, card)).toBe(false)
  })

  it("of somebody else is not the same picture", async () => {
    for (const cut of [cuts.clown, cuts.medic, cuts.couch, cuts.stairs]) {
      const other = await cutOut(cut)
      const at = { centreX: other.width / 2, centreY: other.height / 2, side: other.height / 2, angle: 0 }
      expect(isSamePicture(print, printOf(other, at))).toBe(false)
    }
  })

  it("is not the same picture when nothing is to be seen in either", () => {
    const nothing = new Uint8Array(print.length)
    expect([isSamePicture(nothing, nothing), isSamePicture(print, nothing)]).toEqual([false, false])
  })
})

it("refuses what is no print", () => {
  expect(() => isSamePicture(print, print.subarray(1))).toThrow("no print")
})
