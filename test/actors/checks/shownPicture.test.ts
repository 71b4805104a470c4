/** When the frames of a video show nothing but a picture: by made-up prints, mixed so that they are as alike as those of real faces. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { shownPicture } from "../../../src/actors/checks/video/shownPicture.ts"
import { pictureLikeness } from "../../../src/actors/faces/samePicture.ts"
import { madePrint } from "../../support/prints.ts"

const photo = madePrint("photo")

/** A frame that has so much of the photo in it; the rest is its own. */
const frameWith = (share: number, name: string): Uint8Array => {
  const own = madePrint(name)
  return photo.map((grey, at) => share * grey + (1 - share) * (own[at] ?? 0))
}

const shown = (frames: ReadonlyArray<Uint8Array>) => Effect.runPromise(shownPicture(frames, photo))

it("a living face that is as like the photo as faces are minutes later, in the same light, is no picture of it", async () => {
  const frames = ["one", "two", "three"].map((name) => frameWith(0.53, name))
  for (const frame of frames) {
    const likeness = pictureLikeness(frame, photo)
    expect([likeness > 0.65, likeness < 0.8]).toEqual([true, true])
  }
  expect(await shown(frames)).toBe("MOVING")
})

it("frames that all show the photo, if not very well, are the photo", async () => {
  expect(await shown(["one", "two", "three"].map((name) => frameWith(0.65, name)))).toBe("REFERENCE")
})

it("frames that are one picture, and not the photo, are a still", async () => {
  expect(await shown(["other", "other", "other"].map((name) => madePrint(name)))).toBe("STILL")
})
