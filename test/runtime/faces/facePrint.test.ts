/** Which photos are one picture, by the prints of real photos. The boxes are where the detector found the faces. */
import { describe, expect, it } from "vitest"
import { isSamePicture, pictureLikeness } from "../../../src/actors/faces/samePicture.ts"
import type { Box } from "../../../src/runtime/faces/networks/faceDetector.ts"
import { facePrint } from "../../../src/runtime/faces/networks/facePrint.ts"
import { documentPhoto, facePhoto, facePhotoOf } from "../../support/photos.ts"
import { decoded } from "../../support/pictures.ts"
import { cuts, cutOut, light, mirrored, type Picture } from "./pictures.ts"

const box: Box = { x: 38, y: 22, width: 176, height: 281 }
const printOf = (photo: Picture, at: Box = box) => facePrint(photo, at)
const face = decoded(facePhoto())
const print = printOf(face)

/** The detector's box is never the same twice. */
const moved = (x: number, y: number, scale: number): Box => ({
  x: box.x + x,
  y: box.y + y,
  width: box.width * scale,
  height: box.height * scale
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
    ["a little larger", moved(-10, -16, 1.12)]
  ])("whose face is found %s is the same picture", (_name, at) => {
    expect(isSamePicture(print, printOf(face, at))).toBe(true)
  })

  it("in other light, or mirrored, is the same picture", () => {
    expect(isSamePicture(print, printOf(light(face, 0.7)))).toBe(true)
    const { width } = face
    expect(isSamePicture(print, printOf(mirrored(face), { ...box, x: width - box.x - box.width }))).toBe(true)
  })
})

describe("another picture", () => {
  it("of the same person is not the same picture: the portrait on a card that lies askew", () => {
    const card = printOf(decoded(documentPhoto()), { x: 200, y: 225, width: 161, height: 293 })
    expect(pictureLikeness(print, card)).toBeLessThan(0.4)
    expect(isSamePicture(print, card)).toBe(false)
  })

  it("of somebody else is not the same picture", async () => {
    for (const cut of [cuts.clown, cuts.medic, cuts.couch, cuts.stairs]) {
      const other = await cutOut(cut)
      const at = { x: 0.3 * other.width, y: 0.25 * other.height, width: 0.4 * other.width, height: 0.5 * other.height }
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
