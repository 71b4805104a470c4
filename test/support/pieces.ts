/** Reads a list that goes on from a cursor to its end. Not a test itself. */
import type { Answer } from "./companies.ts"

interface Entry {
  readonly id: string
}

/** The pieces of a list, in their order; `ask` is given the query of each piece. */
export const piecesOf = async (
  ask: (query: string) => Promise<Answer>,
  size: number
): Promise<ReadonlyArray<ReadonlyArray<Entry>>> => {
  const pieces: Array<ReadonlyArray<Entry>> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const answer: Answer = await ask(`size=${size}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)
    if (!answer.success) throw new Error(answer.message)
    pieces.push(answer.data.content)
    cursor = answer.data.next
  }
  return pieces
}
