/**
 * Decodes a JPEG that `cleanJpeg.ts` has prepared. mozjpeg on WebAssembly does it in an eighth of the time that jimp's decoder
 * takes, and without its garbage (`npm run bench:photos`). But mozjpeg shows what is missing of a damaged picture in grey and
 * only complains aloud, and it takes no picture of four inks: whatever it does not decode in silence, jimp's decoder judges.
 */
import jpegCodec from "@jimp/js-jpeg"
import makeDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js"
import { compiledProgram, instanceOf, type WasmImports, type WasmInstance } from "../../node/webAssembly.ts"
import type { CleanJpeg } from "./cleanJpeg.ts"
import type { Decoded } from "./uprightPicture.ts"

const program = compiledProgram(new URL(import.meta.resolve("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm")))

/** The package's types are those of a browser. */
interface MozjpegDecoder {
  readonly decode: (jpeg: Uint8Array, keepsOrientation: boolean) => Picture | null
}

interface Picture {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Throws anything at all when the picture is damaged, and a RangeError when memory runs out. */
export const decodeJpeg = ({ bytes, colorTransform, components }: CleanJpeg): Decoded =>
  (components === 4 ? null : inSilence(bytes)) ?? jpegCodec().decode(bytes, { colorTransform })

/** Null when the decoder has anything to say about the picture, or gives it up. */
const inSilence = (bytes: Uint8Array<ArrayBuffer>): Decoded | null => {
  const { decoder, isSilent } = decoderOfOnePhoto()
  try {
    const picture = decoder.decode(bytes, false)
    return picture !== null && isSilent() ? asDecoded(picture) : null
  } catch {
    // The other decoder judges the same bytes, and its errors are told.
    return null
  }
}

const asDecoded = ({ data, height, width }: Picture): Decoded => ({
  data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  width,
  height
})

/**
 * A decoder with memory of its own, so that nothing of one photo reaches the next, whatever is wrong with the first. It takes two
 * milliseconds, because the program is compiled already.
 */
const decoderOfOnePhoto = () => {
  let isSilent = true
  const complain = (): void => {
    isSilent = false
  }
  const decoder = {
    noInitialRun: true,
    print: complain,
    printErr: complain,
    // With the exports as its result the decoder is ready when `makeDecoder` returns.
    instantiateWasm: (imports: WasmImports, receive: (instance: WasmInstance) => object) =>
      receive(instanceOf(program, imports))
  }
  makeDecoder(decoder).catch(complain)
  // `makeDecoder` has put its functions into the object that it was given.
  return { decoder: decoder as unknown as MozjpegDecoder, isSilent: () => isSilent }
}
