/**
 * Reads from the EXIF block of a photo how the camera was held: which of eight ways to turn and mirror the pixels makes
 * them upright (EXIF 3.0, 4.6.5.1.6). Nothing else of the block is read.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientationTag = 0x0112
const shortType = 3
const entryBytes = 12

/**
 * `block` begins with its byte order. A block that does not give an orientation, or gives a wrong one, means upright.
 */
export const exifOrientation = (block: Uint8Array): Orientation => {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  if (view.byteLength < 8) return 1
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return 1
  const littleEndian = order === 0x4949
  const directory = view.getUint32(4, littleEndian)
  if (directory + 2 > view.byteLength) return 1
  const entries = Math.min(
    view.getUint16(directory, littleEndian),
    Math.floor((view.byteLength - directory - 2) / entryBytes)
  )
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * entryBytes
    if (view.getUint16(at, littleEndian) === orientationTag && view.getUint16(at + 2, littleEndian) === shortType) {
      const value = view.getUint16(at + 8, littleEndian)
      return isOrientation(value) ? value : 1
    }
  }
  return 1
}

const isOrientation = (value: number): value is Orientation => value >= 1 && value <= 8
