/**
 * The light detector of the camera's page, run here as a browser runs it: which faces it finds, and which hints the customer gets.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { beforeAll, describe, expect, it } from "vitest"
import { cutSquare } from "../../../../src/runtime/faces/networks/faceSquare.ts"
import { documentPhoto, facePhoto } from "../../../support/photos.ts"
import { decoded } from "../../../support/pictures.ts"
import { background, blurred, cutOut, light, made, type Picture } from "../../../runtime/faces/pictures.ts"

interface FoundFace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly score: number
}

interface Measures {
  readonly brightness: number
  readonly white: number
  readonly sharpness: number
}

/** Browsers load these scripts as they are: they have no types. */
interface Scripts {
  readonly networkOf: (manifest: unknown, bytes: Uint8Array) => unknown
  readonly findFaces: (
    network: unknown,
    rgba: Uint8ClampedArray,
    size: number,
    turn?: () => Promise<void>
  ) => Promise<ReadonlyArray<FoundFace>>
  readonly measured: (rgba: Uint8ClampedArray, size: number) => Measures
  readonly hintOf: (shape: "card" | "oval", measures: Measures, faces: ReadonlyArray<FoundFace> | null) => string
}

const size = 224
const script = (name: string) => import(new URL(`../../../../src/http/app/browser/${name}.js`, import.meta.url).href)
const modelFile = (file: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@vladmandic/face-api/model/tiny_face_detector_model${file}`))

let scripts: Scripts
let network: unknown
beforeAll(async () => {
  scripts = { ...(await script("faceFinder")), ...(await script("hints")) }
  network = scripts.networkOf(JSON.parse(modelFile("-weights_manifest.json").toString()), modelFile(".bin"))
})

/** The part of a photo that is in the camera's frame, as the page's canvas gives it. */
const framed = (photo: Picture, part: { centreX: number; centreY: number; side: number }): Uint8ClampedArray => {
  const cut = cutSquare(photo, { ...part, angle: 0 }, size)
  return Uint8ClampedArray.from({ length: size * size * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (cut[Math.floor(at / 4) * 3 + (at % 4)] ?? 0)
  )
}
const whole = (photo: Picture, times = 1) =>
  framed(photo, {
    centreX: photo.width / 2,
    centreY: photo.height / 2,
    side: times * Math.max(photo.width, photo.height)
  })

const card = () => framed(decoded(documentPhoto()), { centreX: 560, centreY: 420, side: 960 })

describe("the light detector", () => {
  it("finds one face where it is", async () => {
    const faces = await scripts.findFaces(network, whole(decoded(facePhoto()), 1.6), size)
    expect(faces).toHaveLength(1)
    const [face] = faces
    expect((face?.x ?? 0) + (face?.width ?? 0) / 2).toBeCloseTo(0.45, 0.7)
    expect((face?.y ?? 0) + (face?.height ?? 0) / 2).toBeCloseTo(0.5, 0.7)
    expect(face?.height).toBeGreaterThan(0.3)
  })

  it("finds the portrait on a card that fills the frame", async () => {
    const faces = await scripts.findFaces(network, card(), size)
    expect(faces.length).toBeGreaterThanOrEqual(1)
    expect(faces[0]?.x).toBeLessThan(0.4)
  })

  it("finds no face in a wall or in nothing, and gives the page its turn meanwhile", async () => {
    let turns = 0
    const turn = async () => {
      turns += 1
    }
    expect(await scripts.findFaces(network, whole(await cutOut(background)), size, turn)).toEqual([])
    expect(await scripts.findFaces(network, whole(made(50, 50, () => 128)), size, turn)).toEqual([])
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  it("refuses weights that do not fit their list", () => {
    const manifest = JSON.parse(modelFile("-weights_manifest.json").toString())
    expect(() => scripts.networkOf(manifest, modelFile(".bin").subarray(1))).toThrow("do not fit")
  })
})

const of = (rgba: Uint8ClampedArray) => scripts.measured(rgba, size)
const face = (x: number, y: number, height: number): FoundFace => ({ x, y, width: height * 0.8, height, score: 0.9 })

describe("a hint", () => {
  it("is about the light and the sharpness first", async () => {
    const photo = decoded(facePhoto())
    expect(scripts.hintOf("oval", of(whole(light(photo, 0.2))), null)).toBe("DARK")
    expect(scripts.hintOf("oval", of(whole(light(photo, 4))), null)).toBe("BRIGHT")
    expect(scripts.hintOf("oval", of(whole(blurred(photo, 9))), null)).toBe("BLURRED")
    expect(scripts.hintOf("oval", of(whole(photo)), null)).toBe("READY")
    expect(scripts.hintOf("card", of(card()), null)).toBe("READY")
  })

  it.each([
    ["oval", [], "NO_FACE"],
    ["oval", [face(0.4, 0.4, 0.2)], "SMALL"],
    ["oval", [face(0.15, 0.1, 0.75)], "LARGE"],
    ["oval", [face(0.6, 0.5, 0.4)], "ASIDE"],
    ["oval", [face(0.3, 0.25, 0.5), face(0.7, 0.2, 0.4)], "SEVERAL"],
    ["oval", [face(0.3, 0.25, 0.5), face(0.8, 0.2, 0.1)], "GOOD"],
    ["card", [], "NO_FACE"],
    ["card", [face(0.1, 0.4, 0.05)], "SMALL"],
    ["card", [face(0.1, 0.1, 0.85)], "LARGE"],
    ["card", [face(0.05, 0.3, 0.3), face(0.8, 0.5, 0.2)], "GOOD"]
  ] as const)("in a frame of the shape %s for %j is %s", (shape, faces, hint) => {
    const usual = { brightness: 128, white: 0, sharpness: 0.05 }
    expect(scripts.hintOf(shape, usual, faces)).toBe(hint)
  })
})
