/**
 * Puts a body together from the pieces in which it comes. A body may come in pieces of one byte, and each piece costs a hundred
 * bytes beside its own: so small pieces are put together on the way.
 */
import type { IncomingMessage } from "node:http"
import { httpLimits } from "../limits.ts"

const { mostLoosePieces } = httpLimits

export interface Pieces {
  readonly add: (piece: Buffer) => void
  readonly whole: () => Buffer
}

export const makePieces = () => {
  const whole: Array<Buffer> = []
  let loose: Array<Buffer> = []
  return {
    add: (piece: Buffer): void => {
      loose.push(piece)
      if (loose.length < mostLoosePieces) return
      whole.push(Buffer.concat(loose))
      loose = []
    },
    all: (): ReadonlyArray<Buffer> => [...whole, ...loose],
    whole: (): Buffer => joined([...whole, ...loose])
  }
}

/**
 * The same for a file of at most so many bytes in a form. Where the form says how large it is, the file is put together while it arrives: to
 * copy megabytes at once, into memory that is fresh, would keep the event loop for tens of milliseconds.
 */
export const makePiecesOfFile = ({ headers }: IncomingMessage, most: number): Pieces => {
  const announced = headers["content-length"]
  return announced === undefined ? makePieces() : makeWhole(Math.min(most, Number(announced)))
}

/** In one buffer of so many bytes. What does not fit is left out. */
const makeWhole = (most: number): Pieces => {
  const whole = Buffer.allocUnsafeSlow(most)
  let length = 0
  return {
    add: (piece) => {
      length += piece.copy(whole, length)
    },
    whole: () => whole.subarray(0, length)
  }
}

/** A single piece is not copied: that is how nearly every request comes. */
export const joined = (pieces: ReadonlyArray<Buffer>): Buffer => {
  const [only, ...others] = pieces
  return only !== undefined && others.length === 0 ? only : Buffer.concat(pieces)
}
