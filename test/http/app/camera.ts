/** Films for Chromium's made-up camera: photos in the middle of a grey picture, one after the other, for as long as anyone looks. */
import type { HeadTurn } from "../../../src/schema/media/headTurns.ts"
import { turnedFace } from "../../support/photos.ts"
import { decoded } from "../../support/pictures.ts"

const grey = [128, 128, 128] as const

/** A photo, the part of the picture's height that it fills, and for how many frames it is seen. */
interface Scene {
  readonly photo: Uint8Array
  readonly fills: number
  readonly frames: number
  /** How far the photo turns in its plane to either side and back while it is seen, in radians: a picture that keeps still is no customer. */
  readonly sways?: number
  /** The angle about which it sways, in radians: how a customer holds the head. 0 if it is left out. */
  readonly leans?: number
}

interface Film {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
}

const frameOf = ({ fills, photo }: Scene, { height, width }: Film, angle: number): Buffer => {
  const picture = decoded(photo)
  const scale = (height * fills) / picture.height
  const [cos, sin] = [Math.cos(angle) / scale, Math.sin(angle) / scale]
  const colourAt = (x: number, y: number): readonly [number, number, number] => {
    const [right, down] = [x - width / 2, y - height / 2]
    const column = Math.floor(picture.width / 2 + right * cos + down * sin)
    const row = Math.floor(picture.height / 2 - right * sin + down * cos)
    if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) return grey
    const at = 3 * (row * picture.width + column)
    return [picture.pixels[at] ?? 0, picture.pixels[at + 1] ?? 0, picture.pixels[at + 2] ?? 0]
  }
  const luma = Buffer.alloc(width * height)
  const [blue, red] = [Buffer.alloc(luma.length / 4), Buffer.alloc(luma.length / 4)]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = colourAt(x, y)
      luma[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b
      if (x % 2 === 1 || y % 2 === 1) continue
      const at = (y / 2) * (width / 2) + x / 2
      blue[at] = 128 - 0.148 * r - 0.291 * g + 0.439 * b
      red[at] = 128 + 0.439 * r - 0.368 * g - 0.071 * b
    }
  }
  return Buffer.concat([Buffer.from("FRAME\n"), luma, blue, red])
}

/** YUV4MPEG2, which is what Chromium takes. */
export const filmOfScenes = (scenes: ReadonlyArray<Scene>, film: Film): Buffer =>
  Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${film.width} H${film.height} F${film.framesPerSecond}:1 Ip A1:1 C420jpeg\n`),
    ...scenes.flatMap((scene) => {
      const { frames, leans = 0, sways = 0 } = scene
      const still = sways === 0 ? frameOf(scene, film, leans) : null
      return Array.from(
        { length: frames },
        (_, at) => still ?? frameOf(scene, film, leans + sways * Math.sin((2 * Math.PI * at) / frames))
      )
    })
  ])

/**
 * A customer who moves, in a film of two seconds, between an angle of -0.3 and none. The face on the card of the test photos lies at 0.2:
 * a selfie at that angle would be the picture of the card, and which angle a selfie has, nobody knows.
 */
export const moving = { frames: 20, leans: -0.15, sways: 0.15 } as const

/** One photo that fills the picture's height. */
export const filmOf = (photo: Uint8Array): Buffer =>
  filmOfScenes([{ photo, fills: 1, ...moving }], { width: 640, height: 480, framesPerSecond: 10 })

/** Seconds until the first turn of `filmOfTurns`: time to press the button that records. */
const secondsAhead = 3
const framesPerSecond = 10
const framesOfTurn = 8

/** So many seconds of a recording that began with the film show all three turns. */
export const secondsOfTurns = secondsAhead + 6

const looking = (to: "ahead" | "left" | "right", frames: number): Scene => ({
  photo: turnedFace(to),
  fills: 0.6,
  frames,
  sways: 0.2
})

const sides = { LEFT: "left", RIGHT: "right" } as const

/** A customer who looks into the camera, turns the head to these sides, and looks into the camera again after each. */
export const filmOfTurns = (turns: ReadonlyArray<HeadTurn>): Buffer => {
  const turned = turns.flatMap((turn) => [looking(sides[turn], framesOfTurn), looking("ahead", framesOfTurn)])
  const scenes = [looking("ahead", secondsAhead * framesPerSecond), ...turned]
  return filmOfScenes(scenes, { width: 640, height: 480, framesPerSecond })
}
