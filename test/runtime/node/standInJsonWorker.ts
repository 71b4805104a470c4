/** Stands in for the thread that reads large bodies: it ends itself where the body says so, and otherwise gives the body back as text. */
import type { JsonRead } from "../../../src/runtime/node/jsonWorker.ts"

export const readLargeJson = (pieces: ReadonlyArray<Uint8Array>): JsonRead => {
  const text = Buffer.concat(pieces).toString()
  if (text.startsWith("exit")) process.exit(3)
  return { _tag: "Success", success: { json: text, canonical: new Uint8Array() } }
}
