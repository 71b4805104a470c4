/**
 * Puts a body together from the pieces in which it comes. A body may come in pieces of one byte, and each piece costs a hundred
 * bytes beside its own: so small pieces are put together on the way.
 */
import { httpLimits } from "./limits.ts"

const { mostLoosePieces } = httpLimits

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

/** A single piece is not copied: that is how nearly every request comes. */
export const joined = (pieces: ReadonlyArray<Buffer>): Buffer => {
  const [only, ...others] = pieces
  return only !== undefined && others.length === 0 ? only : Buffer.concat(pieces)
}
