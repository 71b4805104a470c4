/** Made-up prints of faces: the same name has the same print, and different names have prints that are not alike. */
import { pictureThresholds } from "../../src/actors/faces/pictureThresholds.ts"
import { chance } from "../runtime/faces/pictures.ts"

export const madePrint = (name: string): Uint8Array => {
  const next = chance(1 + Array.from(name).reduce((sum, letter, at) => sum + letter.charCodeAt(0) * (at + 7), 0))
  return Uint8Array.from({ length: pictureThresholds.printSide ** 2 }, () => Math.floor(next() * 256))
}
