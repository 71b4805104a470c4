/** The limits of API keys: their text, and how long a node remembers them. Limits of settings: `schema/company/limits.ts`. */
import { Duration } from "effect"

export const keyTextLimits = {
  /** Random bytes from which a key's text is made. They suffice but for the case that `makeApiKey` names. */
  randomBytes: 64,
  /** The traces of keys whose mark was found right are remembered; beyond this many the memory starts anew. */
  mostTracesKnown: 10_000
} as const

export const keyringLimits = {
  /** A5: a node remembers a key this long, and a change waits this long for nodes that do not answer. */
  rememberedFor: Duration.seconds(1),
  /** Beyond this many keys the memory starts anew. The number only bounds the memory. */
  mostRemembered: 10_000,
  /** The use of keys is written this often at most: people ask for the day, or whether it is in use at all. */
  useWrittenEvery: Duration.minutes(1),
  /** What is known of the keys without a mark is looked up once in this time at most, however many forged keys come. */
  unmarkedKnownFor: Duration.seconds(1),
  /** An installation with more keys without a mark than this looks each of them up. */
  mostUnmarked: 10_000
} as const
