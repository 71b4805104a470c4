/** A change of keys that began earlier, for tests that do not wait as long as nodes do. */
import { Duration } from "effect"
import { stillSealingLimits } from "../../../src/runtime/keys/limits.ts"
import type { Service } from "../../support/service.ts"

export const agedKeys = ({ query }: Pick<Service, "query">): Promise<unknown> =>
  query("update encryption_keys set sealing_since = sealing_since - $1::interval, said_at = said_at - $1::interval", [
    `${Duration.toSeconds(stillSealingLimits.inUseFor) + 1} seconds`
  ])
