/**
 * Which faces are found in pictures, and whom they show, with the networks themselves on WebAssembly. The limits are
 * tested in `faceJudgement.test.ts`; `npm run bench:faces` measures many more pictures.
 */
import { beforeAll, expect, test } from "vitest"
import { isSamePicture } from "../../../src/actors/faces/samePicture.ts"
import { compare, loadFaces, similarity, type Faces } from "../../../src/runtime/faces/networks/faces.ts"
import { judge } from "../../../src/runtime/faces/networks/faceJudgement.ts"
import { cutSquare } from "../../../src/runtime/faces/networks/faceSquare.ts"
import { clearScore, differentPersonDistance } from "../../../src/runtime/faces/networks/faceThresholds.ts"
import {
  background,
  blurred,
  cutOut,
  cuts,
  facesIn,
  laidOnGrey,
  light,
  mirrored,
  noise,
  plain,
  samplePhoto,
  shrunk,
  turned,
  type Picture
} from "./pictures.ts"

let faces: Faces

beforeAll(async () => {
  faces = await loadFaces("wasm")
})

const judged = async ({ height, pixels, width }: Picture): Promise<string> =>
  (await faces.judge(pixels, width, height))._tag

const cutNamed = (name: keyof typeof cuts): Promise<Picture> => cutOut(cuts[name])

const names = Object.keys(cuts) as ReadonlyArray<keyof typeof cuts>

test.each(facesIn.map((count, index) => [count, index + 1] as const))(
  "finds all %i faces of sample photo %i",
  async (count, number) => {
    const { height, pixels, width } = await samplePhoto(number)
    const found = await faces.find(pixels, width, height)
    expect(found.filter(({ score }) => score >= clearScore)).toHaveLength(count)
    expect(judge(found)._tag).toBe("MULTIPLE_FACES")
  }
)

test.each(names)("accepts the one face that is cut out of a photo: %s", async (name) => {
  expect(await judged(await cutNamed(name))).toBe("ONE_FACE")
})

test("says where the face is, in pixels of the photo", async () => {
  const face = await cutNamed("medic")
  const sheet = laidOnGrey(1200, 700, { picture: face, left: 650, top: 150 })
  const judgement = await faces.judge(sheet.pixels, sheet.width, sheet.height)
  if (judgement._tag !== "ONE_FACE") throw new Error(judgement._tag)
  const { box } = judgement.face
  // In its sample photo the face is at 1476, 199, 199 wide and 236 high; the cut begins at 1340, 82.
  const [centreX, centreY] = [box.x + box.width / 2 - 650, box.y + box.height / 2 - 150]
  expect(Math.hypot(centreX - (1476 + 100 - 1340), centreY - (199 + 118 - 82))).toBeLessThan(30)
  expect(Math.abs(box.height - 236)).toBeLessThan(40)
})

test("refuses a face of too few pixels, however much of the photo it fills", async () => {
  expect(await judged(shrunk(await cutNamed("skull"), 4))).toBe("FACE_TOO_SMALL")
})

test.each([
  ["a wall", () => cutOut(background)],
  ["noise", () => noise(400, 1)],
  ["black", () => plain(400, 0)],
  ["white", () => plain(400, 255)],
  ["a single pixel", () => plain(1, 128)],
  ["a strip one pixel high", () => ({ ...plain(40, 128), width: 1600, height: 1 })],
  ["a strongly blurred face", async () => blurred(await cutNamed("medic"), 12)],
  ["a face in the dark", async () => light(await cutNamed("medic"), 0.03)],
  ["a face upside down", async () => turned(await cutNamed("skull"), 180)],
  ["a face on its side", async () => turned(await cutNamed("skull"), 90)]
] as ReadonlyArray<readonly [string, () => Picture | Promise<Picture>]>)("sees no face in %s", async (_, picture) => {
  expect(await judged(await picture())).toBe("NO_FACE")
})

test("accepts a face that fills the photo", async () => {
  expect(await judged(await cutOut({ photo: 2, left: 1424, top: 172, side: 227 }))).toBe("ONE_FACE")
})

test("sees two people, although one of them is of a size that the first look misses", async () => {
  const [picture, other] = [await cutNamed("clown"), await cutNamed("medic")]
  const sheet = laidOnGrey(1500, 700, { picture, left: 40, top: 100 }, { picture: other, left: 980, top: 100 })
  expect(await judged(sheet)).toBe("MULTIPLE_FACES")
})

test("sees that one face is there twice", async () => {
  const picture = await cutNamed("clown")
  const twice = laidOnGrey(960, 480, { picture, left: 0, top: 0 }, { picture, left: 480, top: 0 })
  expect(await judged(twice)).toBe("MULTIPLE_FACES")
})

test("accepts the face in front when another one is far behind", async () => {
  const [picture, behind] = [await cutNamed("clown"), shrunk(await cutNamed("medic"), 3)]
  const sheet = laidOnGrey(700, 500, { picture, left: 0, top: 10 }, { picture: behind, left: 520, top: 100 })
  const found = await faces.find(sheet.pixels, sheet.width, sheet.height)
  expect(found.filter(({ score }) => score >= clearScore)).toHaveLength(2)
  const judgement = await faces.judge(sheet.pixels, sheet.width, sheet.height)
  expect(judgement).toMatchObject({ _tag: "ONE_FACE", face: found[0] })
})

const read = async ({ height, pixels, width }: Picture): Promise<Float32Array> => {
  const judgement = await faces.judge(pixels, width, height)
  if (judgement._tag !== "ONE_FACE") throw new Error(judgement._tag)
  return faces.embed(pixels, width, height, judgement.face.box)
}

const people = new Map<string, Promise<Float32Array>>()

/** One of the cuts as it is; many tests compare with it. */
const readNamed = (name: keyof typeof cuts): Promise<Float32Array> => {
  const numbers = people.get(name) ?? cutNamed(name).then(read)
  people.set(name, numbers)
  return numbers
}

const tilted = (picture: Picture, degrees: number): Picture => {
  const side = picture.width
  const square = { centreX: side / 2, centreY: side / 2, side, angle: (degrees * Math.PI) / 180 }
  return { pixels: Uint8Array.from(cutSquare(picture, square, side)), width: side, height: side }
}

test.each([
  ["brighter", (picture: Picture) => light(picture, 1.3)],
  ["darker", (picture: Picture) => light(picture, 0.6)],
  ["mirrored", mirrored],
  ["at half the size", (picture: Picture) => shrunk(picture, 2)],
  ["a little tilted", (picture: Picture) => tilted(picture, 10)],
  ["a little blurred", (picture: Picture) => blurred(picture, 1)]
])("recognises a face again, %s", async (_, altered) => {
  const before = await readNamed("medic")
  const after = await read(altered(await cutNamed("medic")))
  expect(before).toHaveLength(128)
  expect(compare(before, after)).toBe("SAME")
})

const printOf = async ({ height, pixels, width }: Picture): Promise<Uint8Array> => {
  const judgement = await faces.judge(pixels, width, height)
  if (judgement._tag !== "ONE_FACE") throw new Error(judgement._tag)
  return faces.print(pixels, width, height, judgement.face.box)
}

test.each([
  ["turned", async () => tilted(await cutNamed("medic"), 10)],
  ["turned the other way", async () => tilted(await cutNamed("medic"), -7)],
  ["cropped close", () => cutOut({ photo: 1, left: 1450, top: 190, side: 250 })]
] as ReadonlyArray<readonly [string, () => Promise<Picture>]>)("knows a picture again, %s", async (_, altered) => {
  const before = await printOf(await cutNamed("medic"))
  expect(isSamePicture(before, await printOf(await altered()))).toBe(true)
})

test("takes no picture of one of five people for that of another, however upright both are made", async () => {
  const prints = await Promise.all(names.map(async (name) => printOf(await cutNamed(name))))
  for (const [index, print] of prints.entries()) {
    for (const other of prints.slice(index + 1)) expect(isSamePicture(print, other)).toBe(false)
  }
})

test("takes no two of five people for the same person", async () => {
  for (const [index, name] of names.entries()) {
    const one = await readNamed(name)
    expect(similarity(one, one)).toBe(1)
    for (const otherName of names.slice(index + 1)) {
      const other = await readNamed(otherName)
      expect(compare(one, other)).not.toBe("SAME")
      expect(similarity(one, other)).toBeLessThan(1 - differentPersonDistance + 0.1)
    }
  }
})

test("gives the same answer again, and two answers at once", async () => {
  const { height, pixels, width } = await cutNamed("clown")
  const before = await faces.judge(pixels, width, height)
  const atOnce = await Promise.all([faces.judge(pixels, width, height), faces.judge(pixels, width, height)])
  expect(atOnce).toEqual([before, before])
})

test.each([
  [10, 10, 299],
  [0, 0, 0],
  [10.5, 10, 315],
  [-10, -10, 300]
])("refuses %f x %f pixels in %i bytes", async (width, height, bytes) => {
  await expect(faces.judge(new Uint8Array(bytes), width, height)).rejects.toThrow(RangeError)
})
