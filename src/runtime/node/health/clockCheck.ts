/**
 * Whether the clock of this node agrees with the database's. Journeys are decided by the node's clock and woken by the database's: where
 * they differ, due work comes too early or too late, and receivers refuse what was signed at another time than theirs.
 */
import { Duration } from "effect"
import type { Check } from "../../../http/ops/Readiness.ts"
import { databaseLimits } from "../../postgres/limits.ts"

/** `ahead` is in milliseconds; null: the database does not answer. */
export const clockCheck = (ahead: number | null): Check => {
  if (ahead === null) return { status: "degraded", message: "not known while the database is away" }
  if (Math.abs(ahead) <= Duration.toMillis(databaseLimits.mostClockSkew)) {
    return { status: "ok", message: "this node and the database have the same time" }
  }
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return {
    status: "degraded",
    message: `this node's clock is ${seconds} s ${ahead > 0 ? "behind" : "ahead of"} the database's: due work comes at the wrong time, and receivers may refuse signatures; keep both in time with NTP`,
    measured: { databaseAheadSeconds: Math.round(ahead / 1000) }
  }
}
