/**
 * `npm run bench:beside`: photos as of a document, in which a smaller portrait stands beside the face that is compared: somebody else's, as where
 * another person's document is held beside the own face, or the same person's, as the second portrait that some documents have. It says
 * how many of them the identity check refuses because it sees two faces or no clear one, how many it sends to a person, and how many it takes.
 * Takes three minutes of one core. The results are the same on every run.
 */
import { compare } from "../../src/runtime/faces/networks/faceJudgement.ts"
import { loadFaces } from "../../src/runtime/faces/networks/faces.ts"
import { looksForDocuments } from "../../src/runtime/faces/networks/faceThresholds.ts"
import { changed, laidOnGrey, type Picture } from "../runtime/faces/pictures.ts"
import { grey, photoOf } from "./alteredFaces.ts"
import { knownFaces, type KnownFace } from "./knownFaces.ts"

/** Of the photo, in pixels: as large as one that is kept. */
const [width, height] = [1600, 1200]
/** Heights of the portrait's face in pixels. */
const portraits = [250, 200, 160, 120]
/** The face that is compared is higher by a little more than twice. */
const timesHigher = 2.3
/** The height of what is cut out, in heights of its face. */
const cutTimes = 1.9

const pale = (contrast: number) => (picture: Picture) => {
  const paper = 225
  return changed(grey(picture), (sample) => paper + (sample - paper) * contrast)
}

type Altered = (picture: Picture) => Picture
const asItIs: Altered = (picture) => picture

const faces = await loadFaces()

const outcomeOf = async ({ pixels }: Picture): Promise<"refused" | "person" | "taken" | "noFace"> => {
  const judgement = await faces.judge(pixels, width, height, looksForDocuments)
  if (judgement._tag === "MULTIPLE_FACES") return "refused"
  if (judgement._tag !== "ONE_FACE") return "noFace"
  const numbersOf = ({ box }: typeof judgement.face) => faces.embed(pixels, width, height, box)
  const compared = await numbersOf(judgement.face)
  for (const face of judgement.beside) {
    if (compare(await numbersOf(face), compared) === "DIFFERENT") return "person"
  }
  return "taken"
}

const besideOf = async (one: KnownFace, other: KnownFace, faceHeight: number, altered: Altered): Promise<Picture> => {
  const large = await photoOf(one, { times: cutTimes, faceHeight: faceHeight * timesHigher })
  const small = altered(await photoOf(other, { times: cutTimes, faceHeight }))
  return laidOnGrey(
    width,
    height,
    { picture: large, left: width - large.width, top: height - large.height },
    { picture: small, left: 0, top: 0 }
  )
}

const row = (name: string, ...cells: ReadonlyArray<string | number>): void =>
  console.log(name.padEnd(34) + cells.map((cell) => String(cell).padStart(11)).join(""))

const others = 7
const kinds: ReadonlyArray<readonly [name: string, away: number, altered: Altered]> = [
  ["somebody else's", others, asItIs],
  ["the same person's", 0, asItIs],
  ["the same, grey", 0, grey],
  ["the same, half as strong", 0, pale(0.5)],
  ["the same, a third as strong", 0, pale(0.33)]
]

console.log(`A portrait beside a face ${timesHigher} times as high, ${knownFaces.length} photos a row`)
row("", "pixels", "refused", "a person", "taken", "no face")
for (const [name, away, altered] of kinds) {
  for (const faceHeight of portraits) {
    const counts = { refused: 0, person: 0, taken: 0, noFace: 0 }
    for (const [at, face] of knownFaces.entries()) {
      const beside = knownFaces[(at + away) % knownFaces.length] ?? face
      counts[await outcomeOf(await besideOf(face, beside, faceHeight, altered))] += 1
    }
    row(name, faceHeight, counts.refused, counts.person, counts.taken, counts.noFace)
  }
}
