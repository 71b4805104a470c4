/**
 * The order in which large bodies are read. The event loop reads from each connection that has something before it turns to anything else:
 * where thirty photos arrive at once, a read of another company waits for a piece of each of them, several times over. So large
 * bodies take turns: in one turn of the loop they bring a bounded number of bytes together, and whoever comes after that waits
 * for a later turn, in the order in which they came.
 */
import { httpLimits } from "./limits.ts"

const { bodyBytesPerTurn, bodyPieceBytes } = httpLimits

/** What brings a body: Node's request. */
export interface PacedSource {
  readonly pause: () => unknown
  readonly resume: () => unknown
}

/** `nextTurn` does something once, after the loop has looked at all connections. */
export const makeBodyPace = (nextTurn: (turn: () => void) => unknown = setImmediate) => {
  let left: number = bodyBytesPerTurn
  let isTurnAhead = false
  let waiting: ReadonlyArray<PacedSource> = []

  const turn = (): void => {
    isTurnAhead = false
    left = bodyBytesPerTurn
    // One that has nothing to bring costs its place of one turn: so a body that stands still keeps nobody waiting.
    const next = waiting.slice(0, bodyBytesPerTurn / bodyPieceBytes)
    waiting = waiting.slice(next.length)
    for (const source of next) source.resume()
    if (waiting.length > 0) expectTurn()
  }
  const expectTurn = (): void => {
    if (isTurnAhead) return
    isTurnAhead = true
    nextTurn(turn)
  }

  /** A piece of so many bytes has come from the source, and stands to be read. */
  return (source: PacedSource, bytes: number): void => {
    left -= bytes
    expectTurn()
    if (left > 0 && waiting.length === 0) return
    source.pause()
    waiting = [...waiting, source]
  }
}

/** The process has one event loop, so all its bodies take turns together. */
export const bodyPace = makeBodyPace()
