/**
 * `npm run bench:faces`: measures again what the numbers of src/runtime/faces/networks/faceThresholds.ts were measured on: which
 * faces are found, what is said of a photo of one face, how far landmarks waver, and how far apart two faces are. Takes
 * ten minutes of one core. The results are the same on every run, except for the milliseconds.
 */
import { startBackend } from "../../src/runtime/faces/networks/faceBackend.ts"
import { loadDetector, type Detection, type Detector } from "../../src/runtime/faces/networks/faceDetector.ts"
import { loadEmbedder } from "../../src/runtime/faces/networks/faceEmbedding.ts"
import { isSteady, judge, type Face } from "../../src/runtime/faces/networks/faceJudgement.ts"
import { loadLandmarks } from "../../src/runtime/faces/networks/faceLandmarks.ts"
import { faceSharpness } from "../../src/runtime/faces/networks/faceSharpness.ts"
import {
  clearScore,
  differentPersonDistance,
  lookSides,
  type DetectorLooks,
  type LookSide,
  samePersonDistance
} from "../../src/runtime/faces/networks/faceThresholds.ts"
import { noise, plain, type Picture } from "../runtime/faces/pictures.ts"
import { alterations, asItIs, backgrounds, heightName, heights, photoOf, usualTimes } from "./alteredFaces.ts"
import { knownFaces } from "./knownFaces.ts"
import { pairsOfFaces, type PairOfFaces } from "./pairsOfFaces.ts"

const row = (name: string, ...cells: ReadonlyArray<string | number>): void =>
  console.log(name.padEnd(26) + cells.map((cell) => String(cell).padStart(10)).join(""))

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

/** "-" where there is none. */
const at = (values: ReadonlyArray<number>, share: number): string => {
  const value = values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
  return value === undefined ? "-" : value.toFixed(3)
}

console.log(`backend: ${await startBackend()}\n`)
const detect = await loadDetector()
const landmarks = await loadLandmarks()
const embed = await loadEmbedder(landmarks)

/** The detection in the middle, if there is one. */
const middle = <A extends Detection>(picture: Picture, found: ReadonlyArray<A>): A | undefined => {
  const away = ({ box }: A) =>
    Math.hypot(box.x + (box.width - picture.width) / 2, box.y + (box.height - picture.height) / 2)
  const [nearest] = found.toSorted((a, b) => away(a) - away(b))
  return nearest !== undefined && away(nearest) < nearest.box.height / 2 ? nearest : undefined
}

const isOn = ({ left, side, top }: PairOfFaces["cuts"][0], box: Detection["box"]): boolean => {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  return x > left && x < left + side && y > top && y < top + side
}

const alone = (side: LookSide): DetectorLooks => ({ first: [side], more: [], enoughPart: 0 })

const clearIn = async (picture: Picture, looks?: DetectorLooks): Promise<ReadonlyArray<Detection>> =>
  (await detect(picture, looks)).filter(({ score }) => score >= clearScore)

// Which looks find which sizes.

const sizes = [1.2, 1.5, 1.8, 2.1, 2.5, 3]
const timesFurther = [4, 6]

console.log(`Faces found at ${clearScore} of ${knownFaces.length}, by what part of the photo's height they fill`)
const columns = [...lookSides.map((side) => [`side ${side}`, alone(side)] as const), ["as used", undefined] as const]
row("", ...columns.map(([name]) => name))
const total = columns.map(() => 0)
const spent = columns.map(() => 0)
for (const times of [...sizes, ...timesFurther]) {
  const counts = columns.map(() => 0)
  for (const face of knownFaces) {
    const picture = await photoOf(face, { times })
    for (const [index, [, looks]] of columns.entries()) {
      const from = performance.now()
      const clear = await clearIn(picture, looks)
      if (sizes.includes(times)) spent[index]! += performance.now() - from
      counts[index]! += Number(middle(picture, clear) !== undefined)
    }
  }
  row(`${Math.round(100 / times)} %`, ...counts)
  if (sizes.includes(times)) for (const [index, count] of counts.entries()) total[index]! += count
}
const photos = sizes.length * knownFaces.length
row(`of ${photos}, but the last two`, ...total.map((count) => percent(count, photos)))
row("milliseconds", ...spent.map((time) => (time / photos).toFixed(0)))

// Two faces in one picture: who is missed there may be somebody else.

const partsOfWidth = [0.31, 0.25, 0.2, 0.15, 0.12, 0.1, 0.08, 0.065]
const pairsOfEach = 14

console.log(`\nBoth faces found of two in one picture, of ${pairsOfEach}, by what part of its width each of them fills`)
row("", ...columns.map(([name]) => name))
for (const part of partsOfWidth) {
  const counts = columns.map(() => 0)
  for (const { cuts, picture } of await pairsOfFaces(part, pairsOfEach)) {
    for (const [index, [, looks]] of columns.entries()) {
      const clear = await clearIn(picture, looks)
      counts[index]! += Number(cuts.every((cut) => clear.some(({ box }) => isOn(cut, box))))
    }
  }
  row(`${(100 * part).toFixed(1)} %`, ...counts)
}

// What is said of a photo of one face, and the numbers that are read from it.

interface Seen {
  readonly person: number
  readonly name: string
  readonly tag: string
  /** The face in the middle. */
  readonly face: Face | undefined
  readonly wavering: number
  readonly numbers: Float32Array
}

const facesIn = async (look: Detector, picture: Picture): Promise<ReadonlyArray<Face>> =>
  (await look(picture)).map(({ box, score }) => ({ box, score, sharpness: faceSharpness(picture, box) }))

const see = async (person: number, name: string, picture: Picture): Promise<Seen> => {
  const faces = await facesIn(detect, picture)
  const judgement = judge(faces)
  const face = middle(picture, faces)
  const wavering = face === undefined ? Number.POSITIVE_INFINITY : await landmarks.wavering(picture, face.box)
  const numbers = face === undefined ? new Float32Array(128) : await embed(picture, face.box)
  return { person, name, tag: judgement._tag, face, wavering, numbers }
}

const waverings = [0.2, 0.25, 0.3, 0.35, 0.4]
console.log(
  `\nPhotos of one face at ${usualTimes} times its height: what is said of it, and how far its landmarks waver`
)
row("", "several", "small", "none", "clear", "median", ...waverings.map((most) => `<= ${most}`))
const tell = (name: string, seen: ReadonlyArray<Seen>): void => {
  const count = (tag: string) => seen.filter((one) => one.tag === tag).length
  const clear = seen.filter(({ tag }) => tag === "ONE_FACE").map(({ wavering }) => wavering)
  const within = waverings.map((most) => clear.filter((wavering) => wavering <= most).length)
  row(name, count("MULTIPLE_FACES"), count("FACE_TOO_SMALL"), count("NO_FACE"), clear.length, at(clear, 0.5), ...within)
}
const all: Array<Seen> = []
for (const [name, alter] of alterations) {
  const seen: Array<Seen> = []
  for (const [person, face] of knownFaces.entries()) seen.push(await see(person, name, await alter(face)))
  tell(name, seen)
  all.push(...seen)
}
for (const times of sizes.filter((times) => times !== usualTimes)) {
  const seen: Array<Seen> = []
  for (const [person, face] of knownFaces.entries()) seen.push(await see(person, "", await photoOf(face, { times })))
  tell(`${Math.round(100 / times)} % of the height`, seen)
}
const nobody = {
  background: await backgrounds(60),
  noise: [1, 2, 3, 4].map((seed) => noise(400, seed)),
  "plain colour": [0, 128, 255].map((value) => plain(400, value))
}
for (const [name, pictures] of Object.entries(nobody)) {
  const seen: Array<Seen> = []
  for (const picture of pictures) seen.push(await see(-1, name, picture))
  tell(name, seen)
}

// How far the numbers move.

const apart = (a: Seen, b: Seen): number =>
  Math.hypot(...a.numbers.map((number, index) => number - (b.numbers[index] ?? 0)))
const originals = all.filter(({ name }) => name === asItIs)
const moved = (seen: Seen): number => apart(seen, originals[seen.person]!)
const isRead = ({ face }: Seen): boolean => face !== undefined && face.score >= clearScore
const changedOnes = all.filter((seen) => seen.name !== asItIs && isRead(seen) && isRead(originals[seen.person]!))

console.log("\nHow far what is read from a face moves")
row("", "faces", "median", "most")
const tellMoves = (name: string, moves: ReadonlyArray<number>): void =>
  row(name, moves.length, at(moves, 0.5), at(moves, 1))
for (const pixels of heights) {
  const name = heightName(pixels)
  tellMoves(name, changedOnes.filter((seen) => seen.name === name).map(moved))
}
const sharpnesses = [0, 0.002, 0.003, 0.004, 0.006, 0.01, 0.03, 1]
const unaltered = originals.flatMap(({ face }) => (face === undefined ? [] : [face.sharpness]))
console.log(`sharpness (as they are: ${at(unaltered, 0)} to ${at(unaltered, 1)})`)
const blurry = changedOnes.filter(({ name }) => name.startsWith("blurred") || name.endsWith("high"))
for (const [index, least] of sharpnesses.slice(0, -1).entries()) {
  const below = sharpnesses[index + 1]!
  const of = blurry.filter(({ face }) => face!.sharpness >= least && face!.sharpness < below)
  tellMoves(`  ${least} to ${below}`, of.map(moved))
}

// The comparison of two accepted faces.

const accepted = all.filter(
  ({ face, wavering }) => face !== undefined && judge([face])._tag === "ONE_FACE" && isSteady(wavering)
)
const acceptedOriginals = accepted.filter(({ name }) => name === asItIs)
const pairs = (are: (a: Seen, b: Seen) => boolean): ReadonlyArray<number> =>
  accepted.flatMap((a) => acceptedOriginals.filter((b) => a !== b && are(a, b)).map((b) => apart(a, b)))
const photoAt = ({ person }: Seen) => knownFaces[person]!.photo
const kinds: Readonly<Record<string, ReadonlyArray<number>>> = {
  "one face, altered": pairs((a, b) => a.person === b.person),
  "two people in one photo": pairs((a, b) => a.person !== b.person && photoAt(a) === photoAt(b)),
  "faces of two photos": pairs((a, b) => photoAt(a) !== photoAt(b))
}
console.log("\nTwo accepted faces compared, and the distance between them")
row("", "pairs", "least", "median", "most", "SAME", "UNCLEAR", "DIFFERENT")
for (const [name, distances] of Object.entries(kinds)) {
  const same = distances.filter((distance) => distance <= samePersonDistance).length
  const different = distances.filter((distance) => distance >= differentPersonDistance).length
  const verdicts = [same, distances.length - same - different, different]
  const shares = verdicts.map((count) => percent(count, distances.length))
  row(name, distances.length, at(distances, 0), at(distances, 0.5), at(distances, 1), ...shares)
}
const limits = [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7]
console.log("\nPairs up to a distance of")
row("", ...limits)
for (const [name, distances] of Object.entries(kinds)) {
  row(name, ...limits.map((limit) => distances.filter((distance) => distance <= limit).length))
}
