/** The limits of the operator's named tokens. What an operator looks at is bounded in `schema/installation/limits.ts`. */
import { Duration } from "effect"

export const installationActorLimits = {
  /** Random bytes of a token: nobody can guess 256 bits. */
  tokenBytes: 32,
  /** That a token is used is written this often. A monitor asks every few seconds, and each need not be a write. */
  tokenSeenEvery: Duration.minutes(1)
} as const
