/** Which journeys are set aside when waking them fails again and again: those that are due, and no others. */
import { Context, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Alarms } from "../../../src/actors/journey/actor/Alarms.ts"
import { JourneyMailbox } from "../../../src/actors/journey/actor/JourneyMailbox.ts"
import { journeyActorLimits } from "../../../src/actors/journey/actor/limits.ts"
import * as MemoryLeadership from "../../../src/runtime/cluster/coordination/MemoryLeadership.ts"
import * as WakeUps from "../../../src/runtime/cluster/coordination/WakeUps.ts"
import { nextId } from "../../../src/runtime/node/NodeIds.ts"
import * as Database from "../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../src/runtime/postgres/migrations/all.ts"
import * as JourneyAlarms from "../../../src/runtime/work/JourneyAlarms.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase } from "../../support/service.ts"

const stuck = JourneyId.make(nextId())
/** Another node moves it on while this one fails for the last time. */
const movedOn = JourneyId.make(nextId())
/** Its database is away. */
const away = JourneyId.make(nextId())
/** Fails as often in a row as it may, and then does not. */
const sometimes = JourneyId.make(nextId())
const { failedWakesBeforeAside } = journeyActorLimits
let failuresOfMovedOn = 0
const wakes = { away: 0, sometimes: 0 }

const mailbox = Layer.effect(
  JourneyMailbox,
  Effect.map(SqlClient.SqlClient, (sql) =>
    JourneyMailbox.of({
      ask: () => Effect.die(new Error("nobody asks anything here")),
      wake: (id) =>
        Effect.gen(function* () {
          if (id === away) {
            wakes.away += 1
            return yield* new StoreUnavailable({ cause: "away" })
          }
          if (id === sometimes && (wakes.sometimes += 1) % failedWakesBeforeAside === 0) return
          if (id === movedOn && (failuresOfMovedOn += 1) === failedWakesBeforeAside) {
            yield* Effect.orDie(sql`update journeys set wake_at = now() + interval '1 hour' where id = ${id}`)
          }
          return yield* Effect.die(new Error("cannot be woken"))
        })
    })
  )
)

/** How often in a row the journey could not be woken, as the log said last; a journey that was judged begins anew. */
const counts = new Map<string, number>()
const heard = Logger.layer([
  Logger.make(({ message }) => {
    const [, about] = message as ReadonlyArray<{ readonly journeyId?: string; readonly count?: number }>
    if (about?.journeyId !== undefined && about.count !== undefined) counts.set(about.journeyId, about.count)
  })
])

const runtimeOn = (databaseUrl: string) =>
  ManagedRuntime.make(
    Layer.unwrap(
      Effect.map(JourneyAlarms.makePrompts, (prompts) =>
        JourneyAlarms.journeyAlarms(prompts, { isRunner: true }).pipe(
          Layer.provideMerge(JourneyAlarms.alarmsOf(prompts))
        )
      )
    ).pipe(
      Layer.provide([mailbox, WakeUps.layerOneNode, MemoryLeadership.layer]),
      Layer.provideMerge(Database.layerOf(Redacted.make(databaseUrl), migrations)),
      Layer.provideMerge(heard)
    )
  )

let runtime: ReturnType<typeof runtimeOn>
beforeAll(async () => {
  runtime = runtimeOn(await freshDatabase())
  const services = await runtime.context()
  await runtime.runPromise(
    Context.get(services, SqlClient.SqlClient).unsafe(
      `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, wake_at, created_at)
       select id, gen_random_uuid(), false, 'ACTIVE', 1, gen_random_uuid(), id::text, '', '{}', now(), now() from unnest($1::uuid[]) id`,
      [`{${[stuck, movedOn, away, sometimes].join()}}`]
    )
  )
})
afterAll(() => runtime.dispose())

const isSetAside = async (id: JourneyId): Promise<boolean> => {
  const sql = Context.get(await runtime.context(), SqlClient.SqlClient)
  const rows = await runtime.runPromise(sql`select set_aside_at is not null as is_aside from journeys where id = ${id}`)
  return rows[0]?.["is_aside"] === true
}

it("a journey that cannot be woken again and again is set aside while it is due", async () => {
  await eventually(
    () => isSetAside(stuck),
    (is) => is
  )
})

it("one that another node has moved on meanwhile is not, so that its later alarms ring", async () => {
  const alarms = Context.get(await runtime.context(), Alarms)
  await eventually(
    async () => {
      await runtime.runPromise(alarms.wakeNow(movedOn))
      return counts.get(movedOn) ?? 0
    },
    // It was judged after so many failures, and is counted from one again.
    (count) => failuresOfMovedOn > failedWakesBeforeAside && count > 0 && count < failedWakesBeforeAside
  )
  expect(await isSetAside(movedOn)).toBe(false)
})

it.each([
  ["whose database is away", "away", away],
  ["that fails now and then, and is woken in between,", "sometimes", sometimes]
] as const)("a journey %s is not, however often", async (_, name, id) => {
  const alarms = Context.get(await runtime.context(), Alarms)
  await eventually(
    async () => {
      await runtime.runPromise(alarms.wakeNow(id))
      return wakes[name]
    },
    // The wake-ups before the last one have been judged.
    (count) => count > 2 * failedWakesBeforeAside
  )
  expect(await isSetAside(id)).toBe(false)
})
