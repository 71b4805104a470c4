/**
 * `npm run bench:pictures`: measures again what the numbers of src/actors/faces/pictureThresholds.ts were measured on: how alike
 * the prints of one picture are after it was changed, and the prints of two people. Takes some minutes of one core.
 */
import { pictureLikeness } from "../../src/actors/faces/samePicture.ts"
import { startBackend } from "../../src/runtime/faces/networks/faceBackend.ts"
import { loadDetector } from "../../src/runtime/faces/networks/faceDetector.ts"
import { loadLandmarks } from "../../src/runtime/faces/networks/faceLandmarks.ts"
import { facePrint } from "../../src/runtime/faces/networks/facePrint.ts"
import { clearScore } from "../../src/runtime/faces/networks/faceThresholds.ts"
import { at, made, type Picture } from "../runtime/faces/pictures.ts"
import { alterations, photoOf } from "./alteredFaces.ts"
import { knownFaces, type KnownFace } from "./knownFaces.ts"

await startBackend("wasm")
const detect = await loadDetector()
const landmarks = await loadLandmarks()

/** Of the largest clear face. */
const printOf = async (picture: Picture): Promise<Uint8Array | null> => {
  const [face] = (await detect(picture))
    .filter(({ score }) => score >= clearScore)
    .toSorted((a, b) => b.box.height - a.box.height)
  return face === undefined ? null : facePrint(picture, await landmarks.straightenedEvenly(picture, face.box))
}

const shown = (name: string, likenesses: ReadonlyArray<number>): void => {
  const sorted = likenesses.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(2) ?? "-"
  console.log(`${name.padEnd(28)} ${sorted.length} pairs: ${at(0)} least, ${at(0.5)} median, ${at(1)} most`)
}

const people: Array<{ readonly face: KnownFace; readonly print: Uint8Array }> = []
for (const face of knownFaces) {
  const print = await printOf(await photoOf(face))
  if (print !== null) people.push({ face, print })
}

shown(
  "two people",
  people.flatMap(({ print }, at) => people.slice(at + 1).map((other) => pictureLikeness(print, other.print)))
)

const against = async (name: string, made: (face: KnownFace) => Promise<Picture>) => {
  const likenesses: Array<number> = []
  for (const { face, print } of people) {
    const changed = await printOf(await made(face))
    if (changed !== null) likenesses.push(pictureLikeness(print, changed))
  }
  shown(name, likenesses)
}

for (const [name, alter] of alterations) await against(name, alter)
// With more around it, a neighbour may be the largest face.
for (const times of [1.1, 1.4, 1.7]) await against(`cropped to ${times} times`, (face) => photoOf(face, { times }))

/** What somebody might do to a photo so that it is not known again. `x` and `y` go from -0.5 to 0.5. */
const shaded = (lightAt: (x: number, y: number) => number) => (picture: Picture) =>
  made(picture.width, picture.height, (x, y, channel) => {
    return at(picture, x, y, channel) * lightAt(x / picture.width - 0.5, y / picture.height - 0.5)
  })

/** Each pixel comes from `by` of the picture's width further right. */
const moved = (by: (x: number, y: number) => number) => (picture: Picture) =>
  made(picture.width, picture.height, (x, y, channel) => {
    const from = x + picture.width * by(x / picture.width - 0.5, y / picture.height - 0.5)
    return at(picture, Math.round(Math.min(picture.width - 1, Math.max(0, from))), y, channel)
  })

const disguises: ReadonlyArray<readonly [name: string, alter: (picture: Picture) => Picture]> = [
  ["darker to the right", shaded((x) => Math.max(0.12, 1 - 1.4 * (x + 0.2)))],
  ["nearly black to the right", shaded((x) => Math.max(0.06, 1 - 2.2 * (x + 0.15)))],
  ["darker below", shaded((_, y) => Math.max(0.1, 1 - 1.8 * (y + 0.2)))],
  ["right half at 0.3", shaded((x) => (x > 0 ? 0.3 : 1))],
  ["dark around the face", shaded((x, y) => Math.max(0.1, 1 - 7 * (x * x + y * y)))],
  ["squeezed by a seventh", moved((x) => 0.18 * x)],
  ["bent to the left", moved((x, y) => -0.05 * Math.exp(-((x / 0.2) ** 2) - (y / 0.28) ** 2))],
  ["in waves", moved((_, y) => 0.012 * Math.sin(40 * y))]
]

for (const [name, alter] of disguises) await against(name, async (face) => alter(await photoOf(face)))
