/** A text as a QR code: black on white in every colour scheme, with the quiet zone that cameras need. */
import { encodeQR } from "qr"
import { html, type Html } from "../../server/pages/html.ts"

/** Modules of white around the code (ISO/IEC 18004). */
const quietZone = 4

/** `label`: what people hear who do not see the code. */
export const qrCode = (text: string, label: string): Html => {
  const rows = encodeQR(text, "raw", { border: quietZone, ecc: "medium" })
  const size = rows.length
  const path = rows.flatMap((row, y) => runsIn(row).map(([x, length]) => move(x, y, length))).join("")
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`
}

const move = (x: number, y: number, length: number): string => `M${x} ${y}h${length}v1h-${length}z`

/** Black modules that follow each other, each with its beginning and its length. */
const runsIn = (row: ReadonlyArray<boolean>): ReadonlyArray<readonly [x: number, length: number]> =>
  row.flatMap((isBlack, x) => {
    if (!isBlack || row[x - 1] === true) return []
    const end = row.indexOf(false, x)
    return [[x, (end === -1 ? row.length : end) - x] as const]
  })
