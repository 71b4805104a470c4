/**
 * Nodes that wake journeys, with a real Redis and a real database but without a cluster. Each wake-up is written down,
 * and the journey's row then has nothing due any more, as after an actor's commit.
 */
import { Context, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Alarms } from "../../src/actors/journey/actor/Alarms.ts"
import { JourneyMailbox } from "../../src/actors/journey/actor/JourneyMailbox.ts"
import * as Database from "../../src/runtime/postgres/Database.ts"
import { migrations } from "../../src/runtime/postgres/migrations/all.ts"
import * as JourneyAlarms from "../../src/runtime/work/JourneyAlarms.ts"
import { nextId } from "../../src/runtime/node/NodeIds.ts"
import * as Redis from "../../src/runtime/cluster/redis/Redis.ts"
import * as RedisLeadership from "../../src/runtime/cluster/redis/RedisLeadership.ts"
import * as RedisWakeUps from "../../src/runtime/cluster/redis/RedisWakeUps.ts"
import { eventually } from "./eventually.ts"
import { JourneyId } from "../../src/schema/ids.ts"

export interface Wake {
  readonly journeyId: string
  readonly at: number
}

export interface WakingNode {
  /**
   * Writes journeys with their alarms, in milliseconds from now, without a notice to anybody. Gives their ids and
   * times.
   */
  readonly write: (waits: ReadonlyArray<number>) => Promise<ReadonlyArray<Wake>>
  readonly tell: (alarms: ReadonlyArray<Wake>) => Promise<void>
  readonly wakeNow: (journeyId: string) => Promise<void>
  readonly woken: ReadonlyArray<Wake>
  /** From now on a wake-up gets no answer. */
  readonly hang: () => void
  /** Ends without a word to Redis, like a killed process. */
  readonly die: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Waits until the node is connected and works. */
export const startWakingNode = async (
  databaseUrl: string,
  redisUrl: string,
  { isRunner = true }: { readonly isRunner?: boolean } = {}
): Promise<WakingNode> => {
  const woken: Array<Wake> = []
  let hangs = false

  const mailbox = Layer.effect(
    JourneyMailbox,
    Effect.map(SqlClient.SqlClient, (sql) =>
      JourneyMailbox.of({
        ask: () => Effect.die(new Error("nobody asks anything here")),
        wake: (journeyId) =>
          Effect.suspend(() => {
            woken.push({ journeyId, at: Date.now() })
            return hangs
              ? Effect.never
              : Effect.asVoid(Effect.orDie(sql`update journeys set wake_at = null where id = ${journeyId}`))
          })
      })
    )
  )
  const runtime = ManagedRuntime.make(
    Layer.unwrap(
      Effect.map(JourneyAlarms.makePrompts, (prompts) =>
        JourneyAlarms.journeyAlarms(prompts, { isRunner }).pipe(Layer.provideMerge(JourneyAlarms.alarmsOf(prompts)))
      )
    ).pipe(
      Layer.provideMerge(Logger.layer([])),
      Layer.provide([mailbox, RedisWakeUps.layer, RedisLeadership.layer]),
      Layer.provideMerge(Redis.layerOf(Redacted.make(redisUrl))),
      Layer.provideMerge(Database.layerOf(Redacted.make(databaseUrl), migrations))
    )
  )
  const services = await runtime.context()
  const sql = Context.get(services, SqlClient.SqlClient)
  const alarms = Context.get(services, Alarms)
  const { prompt } = Context.get(services, Redis.Redis)
  await eventually(
    () => prompt.status,
    (status) => status === "ready"
  )

  return {
    write: async (waits) => {
      const now = Date.now()
      const alarmed = waits.map((wait) => ({ journeyId: nextId(), at: now + wait }))
      await runtime.runPromise(
        sql.unsafe(
          `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, wake_at, created_at)
           select (j->>'journeyId')::uuid, gen_random_uuid(), false, 'ACTIVE', 1, gen_random_uuid(), j->>'journeyId', '', '{}',
             to_timestamp((j->>'at')::float8 / 1000), now()
           from json_array_elements($1::json) j`,
          [JSON.stringify(alarmed)]
        )
      )
      return alarmed
    },
    tell: (all) =>
      runtime.runPromise(
        Effect.forEach(all, ({ at, journeyId }) => alarms.wakeAt(JourneyId.make(journeyId), at), { discard: true })
      ),
    wakeNow: (journeyId) => runtime.runPromise(alarms.wakeNow(JourneyId.make(journeyId))),
    woken,
    hang: () => {
      hangs = true
    },
    die: () => {
      prompt.disconnect()
      return runtime.dispose()
    },
    stop: () => runtime.dispose()
  }
}
