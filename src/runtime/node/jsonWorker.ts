/**
 * What the thread of `JsonThread.ts` does: it reads one large body as JSON and spells it in its canonical form. It imports little, so
 * that it starts quickly and takes little memory.
 */
import { platform, setPriority } from "node:os"
import { workerData } from "node:worker_threads"
import { move, transferableSymbol, valueSymbol } from "piscina"
import { canonicalJson } from "../../schema/canonicalJson.ts"
import { parseStrictJson } from "../../schema/decoding/strictJson.ts"
import type { FieldError } from "../../schema/problems.ts"

/** As much of a result as passes between threads. */
export type JsonRead =
  | { readonly _tag: "Success"; readonly success: { readonly json: unknown; readonly canonical: Uint8Array } }
  | { readonly _tag: "Failure"; readonly failure: FieldError }

const { niceness } = workerData as { readonly niceness: number }
// Elsewhere it would lower the whole process, which also has to answer small requests.
if (platform() === "linux") setPriority(niceness)

const read = (pieces: ReadonlyArray<Uint8Array>): JsonRead => {
  const parsed = parseStrictJson(Buffer.concat(pieces))
  if (parsed._tag === "Failure") return { _tag: "Failure", failure: parsed.failure }
  const json = parsed.success
  return { _tag: "Success", success: { json, canonical: new TextEncoder().encode(canonicalJson(json)) } }
}

/** The function that the pool calls. */
export const readLargeJson = (pieces: ReadonlyArray<Uint8Array>): unknown => {
  const answer = read(pieces)
  const moved = answer._tag === "Success" ? [answer.success.canonical.buffer] : []
  return move({ [transferableSymbol]: moved, [valueSymbol]: answer })
}
