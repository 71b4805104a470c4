/**
 * Videos that lie. Most are real MP4 videos whose boxes were edited to claim more than there is; others are noise that
 * begins like a video. `videos.ts` makes the real ones.
 */
import { createCipheriv } from "node:crypto"
import { deflateSync } from "node:zlib"

/** A number of 32 bits, and the largest one that is positive even when it is read as signed. */
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const endless = 0x7f_ff_ff_ff

const box = (type: string, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([number(bytes.length + 8), Buffer.from(type, "latin1"), bytes])
}

interface Box {
  readonly type: string
  readonly whole: Buffer
  readonly content: Buffer
}

const boxesIn = (bytes: Buffer): ReadonlyArray<Box> => {
  const found: Array<Box> = []
  for (let at = 0; at + 8 <= bytes.length;) {
    const whole = bytes.subarray(at, at + bytes.readUInt32BE(at))
    found.push({ type: whole.toString("latin1", 4, 8), whole, content: whole.subarray(8) })
    at += whole.length
  }
  return found
}

/** The video with the box at the end of a path changed. The frames come first, so they stay where they are. */
const changed = (
  video: Buffer,
  [type, ...inside]: ReadonlyArray<string>,
  change: (content: Buffer) => Buffer
): Buffer => {
  const boxes = boxesIn(video)
  if (!boxes.some((one) => one.type === type)) throw new Error(`there is no ${type} box`)
  return Buffer.concat(
    boxes.map((one) => {
      if (one.type !== type) return one.whole
      return box(type, inside.length === 0 ? change(one.content) : changed(one.content, inside, change))
    })
  )
}

const written = (at: number, value: number) => (content: Buffer) => {
  const copy = Buffer.from(content)
  copy.writeUInt32BE(value, at)
  return copy
}

const movie = "moov"
const track = [movie, "trak"]
const media = [...track, "mdia"]
const edits = [...track, "edts", "elst"]
const samples = [...media, "minf", "stbl"]
const seconds = (content: Buffer, howMany: number): Buffer => written(16, content.readUInt32BE(12) * howMany)(content)
const hours = 2 * 60 * 60

/** Three headers claim two hours; the frames are short. */
export const sayingHours = (video: Buffer): Buffer => {
  const inMovie = changed(video, [movie, "mvhd"], (content) => seconds(content, hours))
  const inTrack = changed(inMovie, [...track, "tkhd"], written(20, endless))
  return changed(inTrack, [...media, "mdhd"], (content) => seconds(content, hours))
}

/** Each frame is shown for half a minute. */
export const slowed = (video: Buffer): Buffer =>
  changed(changed(video, [...samples, "stts"], written(12, 10_240 * 30)), edits, written(8, endless))

/** Two headers claim frames of 20,000 x 20,000. */
export const sayingEnormous = (video: Buffer): Buffer => {
  const side = 20_000
  const shown = changed(video, [...track, "tkhd"], (content) =>
    written(80, side * 2 ** 16)(written(76, side * 2 ** 16)(content))
  )
  return changed(shown, [...samples, "stsd"], written(40, side * 2 ** 16 + side))
}

/** The frames of a VP8 video claim it too, as far as their 14 bits go. */
export const enormousFrames = (video: Buffer): Buffer => {
  const copy = Buffer.from(video)
  const start = Buffer.of(0x9d, 0x01, 0x2a)
  for (let at = copy.indexOf(start); at !== -1; at = copy.indexOf(start, at + 1))
    copy.fill(Buffer.of(0xff, 0x3f), at + 3, at + 7)
  return copy
}

export const thousandTracks = (video: Buffer): Buffer =>
  changed(video, [movie], (content) => {
    const one = boxesIn(content).find(({ type }) => type === "trak")
    if (one === undefined) throw new Error("there is no track")
    return Buffer.concat([content, ...Array.from({ length: 999 }, () => one.whole)])
  })

/** Two thousand million frames of one byte each: a few bytes claim them, and an index of them would fill any memory. */
export const endlessFrames = (video: Buffer): Buffer => {
  const sized = changed(video, [...samples, "stsz"], () => Buffer.concat([number(0), number(1), number(endless)]))
  return changed(sized, [...samples, "stts"], () => Buffer.concat([number(0), number(1), number(endless), number(1)]))
}

/** The same frames over and over: each entry of this list plays all of them. */
export const endlessEdits = (video: Buffer): Buffer => {
  const entries = 200_000
  const entry = Buffer.concat([number(2000), number(0), number(2 ** 16)])
  return changed(video, edits, () =>
    Buffer.concat([number(0), number(entries), ...Array.from({ length: entries }, () => entry)])
  )
}

/** A compressed index, which QuickTime allows. It is a thousand times larger when it is inflated. */
export const compressedIndex = (video: Buffer, claimed = 64 * 2 ** 20): Buffer =>
  changed(video, [movie], () =>
    box("cmov", box("dcom", Buffer.from("zlib")), box("cmvd", number(claimed), deflateSync(Buffer.alloc(64 * 2 ** 20))))
  )

/** Boxes nested in boxes. */
export const deep = (video: Buffer): Buffer => {
  const levels = 20_000
  const headers = Array.from({ length: levels }, (_, level) => {
    const header = box(level === 0 ? movie : "trak")
    header.writeUInt32BE(8 * (levels - level))
    return header
  })
  return Buffer.concat([
    ...boxesIn(video)
      .filter(({ type }) => type !== movie)
      .map(({ whole }) => whole),
    ...headers
  ])
}

/** The index of a video in pieces, alone. Such an index mentions no frame. */
export const withoutFrames = (video: Buffer): Buffer =>
  Buffer.concat(
    boxesIn(video)
      .filter(({ type }) => type === "ftyp" || type === movie)
      .map(({ whole }) => whole)
  )

/** A piece of a video that claims more frames than it has bytes. */
export const endlessPiece = (video: Buffer): Buffer =>
  changed(video, ["moof", "traf", "trun"], (content) =>
    // Nothing is said about single frames, so the defaults hold for them.
    Buffer.concat([number(0x00_00_00_01), number(endless), content.subarray(8, 12)])
  )

/** The same noise on every run. */
export const noise = (bytes: number, start: Uint8Array = new Uint8Array()): Buffer => {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, 1), Buffer.alloc(16))
  return Buffer.concat([start, cipher.update(Buffer.alloc(bytes))])
}
