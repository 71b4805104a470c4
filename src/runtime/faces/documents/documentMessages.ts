/** What the service asks the process that reads documents, and what it answers (`messages.ts`). The process imports this file too. */
import type { Message } from "../../processes/messages.ts"

/** How a photo is looked at. */
export interface DocumentLook {
  /** As words anywhere instead of as a page: lines that were read badly are often read well so. */
  readonly isScattered: boolean
  /** In radians; null: as the reader finds it, which it does for a few degrees. */
  readonly turn: number | null
}

/** What was read. */
export interface DocumentText {
  readonly text: string
  /** Words that were read with certainty. */
  readonly words: number
}

export const documentQuestion = (photo: Uint8Array, { isScattered, turn }: DocumentLook): Message => ({
  line: { isScattered, turn },
  parts: [photo]
})

/** In the process: what it was asked. The service asks nothing else. */
export const documentLookIn = ({
  line,
  parts: [photo = new Uint8Array()]
}: Message): DocumentLook & { readonly photo: Uint8Array } => ({
  ...(line as DocumentLook),
  photo
})
