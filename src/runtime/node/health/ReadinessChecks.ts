/**
 * What makes this node ready: the checks behind GET /health/ready. Each check ends in time by itself. The checks are made at
 * most once a second, however often somebody asks, and every few seconds without anybody who asks, so that the beginning of trouble
 * is known.
 *
 * | check     | failed: load balancers let go                    | degraded: ready all the same                      |
 * |-----------|---------------------------------------------------|---------------------------------------------------|
 * | database  | no answer within a second, or it is a standby     | it refuses what writes: its disk is full ...      |
 * | migrations | one is missing                                    | a newer version has added some: an upgrade        |
 * | clock     |                                                   | it is seconds apart from the database's           |
 * | dueWork   | what is due does not move, and nobody says why    | some of it waits, or Redis is away                |
 * | redis     |                                                   | no answer                                         |
 * | cluster   | no node runs journeys                             | who does is not known while Redis is away; or this |
 * |           |                                                   | runner reaches no Redis, or no database that takes writes |
 * | stopping  | it was told to stop                               |                                                   |
 */
import { type Cause, Clock, Duration, Effect, Layer, Option, Result, Schedule } from "effect"
import { RunnerStorage, ShardId, Sharding, ShardingConfig } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { type Check, type Checks, Readiness } from "../../../http/ops/Readiness.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { JourneyEntity } from "../../../actors/journey/actor/JourneyEntity.ts"
import { databaseMillis, withClockAhead } from "../../postgres/databaseClock.ts"
import { type DatabaseTrouble, recentTrouble, troubleOf } from "../../postgres/databaseTrouble.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { abandonable } from "../../postgres/timeouts.ts"
import { migrations } from "../../postgres/migrations/all.ts"
import { Fitness } from "../../cluster/coordination/fitness.ts"
import * as RedisConnections from "../../cluster/redis/Redis.ts"
import { Settings } from "../../settings/Settings.ts"
import { healthLimits } from "./limits.ts"
import { clockCheck } from "./clockCheck.ts"
import { OverdueWork } from "./OverdueWork.ts"
import { Stopping } from "./Stopping.ts"
import { oldestAge, stuckAfterMillis, Watchdog } from "./Watchdog.ts"

const { databaseWithin, readinessKeptFor, readinessLookEvery, redisWithin } = healthLimits

const ok = (message: string, measured?: Check["measured"]): Check => ({
  status: "ok",
  message,
  ...(measured && { measured })
})
const degraded = (message: string, measured?: Check["measured"]): Check => ({
  ...ok(message, measured),
  status: "degraded"
})
const failed = (message: string, measured?: Check["measured"]): Check => ({
  ...ok(message, measured),
  status: "failed"
})

const checks = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const settings = yield* Settings
    const sql = yield* SqlClient.SqlClient
    const sharding = yield* Sharding.Sharding
    const overdue = yield* OverdueWork
    const watchdog = yield* Watchdog
    const stopping = yield* Stopping
    const redis = yield* Effect.serviceOption(RedisConnections.Redis)
    const runners = yield* Effect.serviceOption(RunnerStorage.RunnerStorage)
    const config = yield* Effect.serviceOption(ShardingConfig.ShardingConfig)
    const { shardsPerGroup } = Option.getOrElse(config, () => ShardingConfig.defaults)
    const fitness = yield* Fitness
    const meter = yield* currentMeter
    const sinceOf = remembering()

    const looked = Effect.gen(function* () {
      const row = yield* withClockAhead(abandonable(LookRow.first(sql.unsafe(lookStatement))))
      if (row !== null) meter.set("journeys_database_clock_ahead_seconds", {}, row.ahead / 1000)
      return row
    }).pipe(Effect.timeout(databaseWithin), Effect.result)

    const redisAnswers = Option.match(redis, {
      onNone: () => Effect.succeed(null),
      onSome: ({ prompt }) => Effect.tryPromise(() => prompt.ping()).pipe(Effect.timeout(redisWithin), Effect.isSuccess)
    })

    /** Runners that are healthy; null: nobody knows. */
    const healthyRunners = Option.match(runners, {
      onNone: () => Effect.succeed<number | null>(settings.redisUrl === undefined ? 1 : null),
      onSome: (storage) =>
        storage.getRunners.pipe(
          Effect.map((all) => all.filter(([, isHealthy]) => isHealthy).length),
          Effect.timeout(redisWithin),
          Effect.orElseSucceed(() => null)
        )
    })

    const shardsHere = (): number => {
      const group = JourneyEntity.getShardGroup("any" as never)
      let count = 0
      for (let shard = 1; shard <= shardsPerGroup; shard++) {
        if (sharding.hasShardId(ShardId.make(group, shard))) count += 1
      }
      return count
    }

    const due = (isRedisAway: boolean): Check => {
      const last = overdue.lastLook()
      if (last.at === null)
        return degraded("due work has not been looked at yet, or cannot be while the database is away")
      const measured = { oldestSeconds: Math.round(oldestAge(last.all) / 1000), overdue: last.all.length }
      if (oldestAge(last.all) < stuckAfterMillis)
        return ok(`nothing has been due for ${stuckAfterMillis / 1000} s`, measured)
      const blocked = watchdog.blocked()
      if (last.allStillFor < stuckAfterMillis) return degraded("some of what is due waits, but it moves", measured)
      if (blocked === null) return degraded("what is due cannot go on, and its actors say so: see the log", measured)
      return isRedisAway
        ? degraded(`what is due waits for Redis: ${blocked}`, measured)
        : failed(`what is due does not move: ${blocked}`, measured)
    }

    const isRunner = settings.redisUrl === undefined || settings.runnerAddress !== undefined
    const cluster = (known: number | null): Check => {
      const shards = shardsHere()
      if (!fitness.isFit()) return degraded(shards === 0 ? handedOver : keptUnfit, { shards })
      if (known === null) return degraded(isRunner && shards === 0 ? withoutRedis : runnersUnknown, { shards })
      const measured = { runners: known, shards }
      if (known === 0) return failed("no node runs journeys", measured)
      if (isRunner && shards === 0) return degraded("this node has no share of the journeys yet", measured)
      return ok(
        isRunner ? "this node runs its share of the journeys" : "this node is a client: others run journeys",
        measured
      )
    }

    const look = Effect.gen(function* () {
      const [seen, answers, known] = yield* Effect.all([looked, redisAnswers, healthyRunners], {
        concurrency: "unbounded"
      })
      const latest = Option.map(Result.getSuccess(seen), (row) => row?.latest ?? 0)
      return yield* sinceOf({
        database: databaseCheck(seen, yield* recentTrouble),
        migrations: migrationCheck(latest),
        clock: clockCheck(Option.getOrNull(Option.map(Result.getSuccess(seen), (row) => row?.ahead ?? null))),
        dueWork: due(answers === false),
        redis: redisCheck(answers, isRunner),
        cluster: cluster(known),
        stopping: stopping.isStopping ? failed("told to stop: finishes what runs") : ok("no")
      })
    })

    const scope = yield* Effect.scope
    let forget: Effect.Effect<void> = Effect.void
    // Forgotten by a timer: where the clock is set back, a time in the future would keep the answer until then.
    const forgotten = Effect.delay(
      Effect.suspend(() => forget),
      readinessKeptFor
    )
    const [checks, forgetLook] = yield* Effect.cachedInvalidateWithTTL(
      Effect.tap(look, () => Effect.forkIn(forgotten, scope)),
      Duration.infinity
    )
    forget = forgetLook
    // A look while the node begins would be the answer of the next second, to whoever asks as soon as the node is ready.
    const looks = Effect.repeat(checks, Schedule.spaced(readinessLookEvery))
    yield* Effect.forkScoped(Effect.delay(looks, readinessLookEvery))
    return { checks }
  })
)

const handedOver = "this runner reaches no database in time that takes writes: others run its journeys until it does"
const withoutRedis =
  "this runner does not reach Redis: it wakes no journeys until it does; runners that reach Redis wake them"
const runnersUnknown = "which nodes run journeys is not known: Redis does not say"
const keptUnfit =
  "this runner reaches no database in time that takes writes, and nobody else has taken its journeys over"

const lookStatement = `
select max(id) as latest, pg_is_in_recovery() as is_standby, ${databaseMillis} as millis from migrations`
const LookRow = rowModel({ latest: column.orNull(column.number), isStandby: column.bool, millis: column.number })
type Look = Pick<RowOf<typeof LookRow>, "isStandby">

/**
 * A full disk is the same for all nodes: without them nobody would be left to answer those who only read. A standby is not: another
 * node may have found the database that takes writes.
 */
const databaseCheck = (
  seen: Result.Result<Look | null, SqlError | Cause.TimeoutError>,
  recent: DatabaseTrouble | null
): Check => {
  if (Result.isFailure(seen)) {
    const trouble = isSqlError(seen.failure) ? troubleOf(seen.failure) : null
    return failed(trouble?.says ?? `no answer within ${Duration.toSeconds(databaseWithin)} second`)
  }
  if (seen.success?.isStandby === true) {
    return failed("it is a standby, which takes no writes: DATABASE_URL must lead to the database that does")
  }
  return recent === null || recent.reason === "UNREACHABLE"
    ? ok("answers")
    : degraded(`answers, and refuses what writes: ${recent.says}; starts and changes are answered 503, reads go on`)
}

export const layer = Layer.unwrap(
  Effect.map(Settings, ({ redisUrl }) =>
    redisUrl === undefined ? checks : Layer.provide(checks, RedisConnections.layer)
  )
)

const migrationCheck = (latest: Option.Option<number>): Check => {
  if (Option.isNone(latest)) return degraded("not known while the database is away")
  const ahead = latest.value - migrations.length
  if (ahead < 0) return failed(`${-ahead} of ${migrations.length} are missing`)
  return ahead === 0
    ? ok(`all ${migrations.length} applied`)
    : degraded(`${ahead} of a newer version are applied: an upgrade is under way, this version cannot be started again`)
}

const redisCheck = (answers: boolean | null, isRunner: boolean): Check => {
  if (answers === null) return ok("not used: REDIS_URL is unset, this is the only node")
  if (answers) return ok("answers")
  return degraded(
    isRunner
      ? "no answer: this node wakes no journeys; starts, reads and changes go on; it counts rate limits alone"
      : "no answer: this node may answer changes of journeys 503; starts and reads go on; it counts rate limits alone"
  )
}

/** Adds since when each check is as bad as it is. */
const remembering = () => {
  let before = new Map<string, { readonly status: Check["status"]; readonly since: string }>()
  return (checks: Checks): Effect.Effect<Checks> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const bad = Object.entries(checks).filter(([, { status }]) => status !== "ok")
      before = new Map(
        bad.map(([name, { status }]) => {
          const known = before.get(name)
          return [name, known?.status === status ? known : { status, since: new Date(now).toISOString() }]
        })
      )
      return Object.fromEntries(
        Object.entries(checks).map(([name, check]) => {
          const known = before.get(name)
          return [name, known === undefined ? check : { ...check, since: known.since }]
        })
      )
    })
}
