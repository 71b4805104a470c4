/**
 * What keeps the database from its work, in words for whoever is called at night: in the log, in GET /health/ready and in the numbers.
 * A database whose disk is full, or that may only be read, answers every look that only reads. Only a statement that was refused
 * tells of it, so each refusal that a store meets is remembered here. No text names an address, a role or a password.
 */
import { Clock, Duration, Effect, Metric } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { meterOf } from "../../actors/kernel/Meter.ts"
import type { databaseTroubles } from "../../schema/installation/metrics.ts"
import { databaseLimits } from "./limits.ts"
import { acquireOperation, sqlState } from "./sqlFailure.ts"

export interface DatabaseTrouble {
  readonly reason: (typeof databaseTroubles)[number]
  /** What is wrong, as a sentence whose subject is the database. */
  readonly says: string
}

/** Refusals of a database that answers, by SQLSTATE. */
const refusals: Readonly<Record<string, DatabaseTrouble>> = {
  "53100": { reason: "DISK_FULL", says: "its disk is full" },
  "25006": { reason: "READ_ONLY", says: "it may only be read" },
  "53200": { reason: "OUT_OF_MEMORY", says: "it is out of memory" },
  "53300": {
    reason: "NO_CONNECTIONS",
    says: "it has no connection left for this node: max_connections, or the role's limit"
  }
}

/** What keeps a connection from being made, by SQLSTATE or by the code of the system. */
const obstacles: Readonly<Record<string, string>> = {
  "28P01": "it does not take the password of DATABASE_URL",
  "28000": "it does not take the role of DATABASE_URL",
  "3D000": "it has no database of the name in DATABASE_URL",
  "57P03": "it is starting, stopping or recovering",
  ECONNREFUSED: "nothing listens where DATABASE_URL says",
  ENOTFOUND: "the name in DATABASE_URL is not known",
  EAI_AGAIN: "no name server answers for the name in DATABASE_URL",
  EHOSTUNREACH: "there is no way to where DATABASE_URL says",
  ENETUNREACH: "there is no way to where DATABASE_URL says"
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** What a failed statement says about the database; null when the statement is at fault, or only had to wait. */
export const troubleOf = (error: SqlError): DatabaseTrouble | null => {
  const state = sqlState(error) ?? codeOf(error.reason.cause)
  const refusal = refusals[state]
  if (refusal !== undefined) return refusal
  const obstacle = obstacles[state]
  if (obstacle !== undefined) return { reason: "UNREACHABLE", says: obstacle }
  if (error.reason._tag !== "ConnectionError" || error.reason.operation === acquireOperation) return null
  return { reason: "UNREACHABLE", says: "it does not answer, or the connection to it broke" }
}

/** What PostgreSQL refused last. */
interface Met {
  readonly trouble: DatabaseTrouble
  /** Epoch milliseconds. */
  readonly at: number
}

interface Memory {
  last: Met | null
  /** When each reason was last said in the log. */
  readonly saidAt: Map<DatabaseTrouble["reason"], number>
}

/** Each service of a process has numbers of its own, and a memory beside them. */
const memories = new WeakMap<Metric.MetricRegistry, Memory>()
const memory = Effect.withFiberSucceed((fiber): Memory => {
  const registry = fiber.getRef(Metric.MetricRegistry)
  const known = memories.get(registry) ?? { last: null, saidAt: new Map() }
  memories.set(registry, known)
  return known
})

const saidEvery = Duration.toMillis(databaseLimits.troubleSaidEvery)
const rememberedFor = Duration.toMillis(databaseLimits.troubleRememberedFor)

/** Counts what a statement met, remembers it, and says it once a minute. */
export const noteTrouble = (error: SqlError): Effect.Effect<void> => {
  const trouble = troubleOf(error)
  if (trouble === null) return Effect.void
  return Effect.gen(function* () {
    const meter = yield* Effect.withFiberSucceed(meterOf)
    const kept = yield* memory
    const at = yield* Clock.currentTimeMillis
    meter.count("journeys_database_troubles_total", { reason: trouble.reason })
    kept.last = { trouble, at }
    if (at - (kept.saidAt.get(trouble.reason) ?? -Infinity) < saidEvery) return
    kept.saidAt.set(trouble.reason, at)
    yield* Effect.logError(`The database does not do its work: ${trouble.says}`, { reason: trouble.reason })
  })
}

/** What was refused within the last minute; null: nothing. */
export const recentTrouble: Effect.Effect<DatabaseTrouble | null> = Effect.gen(function* () {
  const { last } = yield* memory
  const now = yield* Clock.currentTimeMillis
  return last !== null && now - last.at < rememberedFor ? last.trouble : null
})
