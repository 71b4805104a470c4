/**
 * The customer's photo of journeys that are started to be tried out: one face, cut out of a group photo that the package of face models ships as a
 * sample. The service checks it like any other photo.
 */
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { SamplePhoto } from "../../actors/faces/SamplePhoto.ts"

const group = "@vladmandic/face-api/demo/sample3.jpg"

/** The rectangle of one face in the group photo, in pixels. */
const face = { x: 535, y: 275, w: 300, h: 380 }

export const customerPhoto: Effect.Effect<Uint8Array<ArrayBuffer>> = Effect.promise(async () => {
  // Few journeys are started to be tried out, and the library is hundreds of files.
  const { Jimp } = await import("jimp")
  const picture = await Jimp.read(fileURLToPath(import.meta.resolve(group)))
  return new Uint8Array(await picture.crop(face).getBuffer("image/jpeg"))
})

export const layer = Layer.succeed(SamplePhoto, { jpeg: customerPhoto })
