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
import type { Picture } from "../runtime/faces/pictures.ts"
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
