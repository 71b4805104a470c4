/** A photo of the size that telephones take. The benches send it; whether a face is in it, the service says. */
import jpegCodec from "@jimp/js-jpeg"
import { facePhoto } from "../support/photos.ts"
import { decoded } from "../support/pictures.ts"

/** The face as a camera of 12 megapixels stores it, with enough noise for some megabytes. */
export const cameraPhoto = (): Buffer => {
  const [width, height] = [4000, 3000]
  const face = decoded(facePhoto())
  const data = Buffer.alloc(width * height * 4, 255)
  let noise = 1
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0
      const from = (Math.floor((y * face.height) / height) * face.width + Math.floor((x * face.width) / width)) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        data[(y * width + x) * 4 + channel] = Math.min(255, (face.pixels[from + channel] ?? 0) + (noise >>> 28))
      }
    }
  }
  return jpegCodec().encode({ data, width, height }, { quality: 75 })
}
