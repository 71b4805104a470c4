/** The limits of what a node remembers about API keys. The limits of a company's settings are in `schema/company/limits.ts`. */
import { Duration } from "effect"

export const keyringLimits = {
  /** A5: a node that is alone remembers a key this long. */
  rememberedFor: Duration.seconds(1),
  /** Beyond this many keys the memory starts anew. The number only bounds the memory. */
  mostRemembered: 10_000
} as const
