/**
 * The bytes of a JSON body as a value. A small body is read at once. To read a large one takes so long that everybody's requests
 * would wait for it, so it is read elsewhere: `runtime/node/JsonThread.ts` is where. How strictly JSON is read says `strictJson.ts`;
 * how bytes come in, and how many may, `body.ts`.
 */
import { Context, Effect } from "effect"
import { parseStrictJson } from "../../../schema/decoding/strictJson.ts"
import { httpLimits } from "../limits.ts"
import { joined } from "./pieces.ts"
import { orProblems, type Problem } from "../answers/problems.ts"

export interface JsonBody {
  readonly json: unknown
  /** Its one spelling (`canonicalJson.ts`) in UTF-8, where it was made beside. Otherwise whoever needs it makes it. */
  readonly canonical: Uint8Array | null
}

export interface LargeJson {
  /** The pieces may be gone afterwards: they are moved to where they are read. */
  readonly read: (pieces: ReadonlyArray<Uint8Array>) => Effect.Effect<JsonBody, Problem>
}

const readAtOnce = (bytes: Uint8Array): Effect.Effect<JsonBody, Problem> =>
  Effect.map(orProblems(parseStrictJson(bytes)), (json) => ({ json, canonical: null }))

/** Without a thread, as in a test of one part, a large body is read like a small one. */
export const CurrentLargeJson = Context.Reference<LargeJson>("journeys/http/CurrentLargeJson", {
  defaultValue: () => ({ read: (pieces) => readAtOnce(Buffer.concat(pieces)) })
})

export const jsonBodyOf = (bytes: Uint8Array): Effect.Effect<JsonBody, Problem> =>
  bytes.length <= httpLimits.largestSmallBody ? readAtOnce(bytes) : readLarge([bytes])

/** The same of a body as it came. Where it is large, nothing puts it together on the event loop. */
export const jsonBodyOfPieces = (pieces: ReadonlyArray<Buffer>): Effect.Effect<JsonBody, Problem> => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length <= httpLimits.largestSmallBody ? readAtOnce(joined(pieces)) : readLarge(pieces)
}

const readLarge = (pieces: ReadonlyArray<Uint8Array>): Effect.Effect<JsonBody, Problem> =>
  Effect.flatMap(CurrentLargeJson, ({ read }) => read(pieces))
