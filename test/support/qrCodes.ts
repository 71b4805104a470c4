/** Reads a QR code off a page, as a telephone's camera would: from the pixels that its SVG draws. */
import { decodeQR } from "qr/decode.js"

/** Pixels of a module. */
const scale = 4

/** The text of the page's QR code. */
export const qrTextIn = (page: string): string => {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(page)?.[1])
  const path = /<path d="([^"]*)" fill="#000"/.exec(page)?.[1] ?? ""
  const side = size * scale
  const data = new Uint8Array(4 * side * side).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = row * side + Number(x) * scale
      for (let at = from; at < from + Number(length) * scale; at += 1) data.fill(0, 4 * at, 4 * at + 3)
    }
  }
  return decodeQR({ width: side, height: side, data })
}
