/**
 * The bytes of a JSON body as a value. A small body is read at once. To read a large one takes so long that everybody's requests
 * would wait for it, so it is read elsewhere: `runtime/node/JsonThread.ts` is where. How strictly JSON is read says `strictJson.ts`;
 * how bytes come in, and how many may, `body.ts`.
 */
import { Context, Effect } from "effect"
import { parseStrictJson } from "../../schema/decoding/strictJson.ts"
import { httpLimits } from "./limits.ts"
import { orProblems, type Problem } from "./problems.ts"

export interface JsonBody {
  readonly json: unknown
  /** Its one spelling (`canonicalJson.ts`) in UTF-8, where it was made beside. Otherwise whoever needs it makes it. */
  readonly canonical: Uint8Array | null
}

export interface LargeJson {
  /** The bytes may be gone afterwards: they are moved to where they are read. */
  readonly read: (bytes: Uint8Array) => Effect.Effect<JsonBody, Problem>
}

const readAtOnce = (bytes: Uint8Array): Effect.Effect<JsonBody, Problem> =>
  Effect.map(orProblems(parseStrictJson(bytes)), (json) => ({ json, canonical: null }))

/** Without a thread, as in a test of one part, a large body is read like a small one. */
export const CurrentLargeJson = Context.Reference<LargeJson>("journeys/http/CurrentLargeJson", {
  defaultValue: () => ({ read: readAtOnce })
})

export const jsonBodyOf = (bytes: Uint8Array): Effect.Effect<JsonBody, Problem> =>
  bytes.length <= httpLimits.largestSmallBody
    ? readAtOnce(bytes)
    : Effect.flatMap(CurrentLargeJson, ({ read }) => read(bytes))
