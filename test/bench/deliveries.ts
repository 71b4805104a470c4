/** How fast a standing queue of deliveries is worked off, and what one delivery costs. Who has the queue is said by the callers. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { cpuOfEach, type Cpu, type CpuMeter } from "./cpuMeter.ts"
import type { Running } from "./running.ts"
import { queue, startReceiver, untilDelivered } from "./standingQueue.ts"

const eventsOfQueue = 9000

/** A service whose deliveries are measured, and its companies: each has a part of the queue and an endpoint of its own. */
export interface Sender {
  readonly running: Running
  readonly databaseUrl: string
  readonly meter: CpuMeter
  readonly companies: ReadonlyArray<string>
}

export interface Delivered {
  /** A second. */
  readonly rate: number
  readonly cpu: Cpu
}

export type Deliver = (sender: Sender) => Promise<Delivered>

/** Endpoints that are made at once. */
const madeAtOnce = 16

let queues = 0

const delivered = async (
  { companies, databaseUrl, meter }: Sender,
  receiver: Awaited<ReturnType<typeof startReceiver>>
): Promise<Delivered> => {
  await meter.untilQuiet()
  await receiver.tell("reset")
  const work = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // The connection is there before the time counts.
    yield* sql.unsafe("select 1")
    const [began, before] = [performance.now(), meter.now()]
    yield* queue(sql, eventsOfQueue, queues++, companies)
    yield* Effect.promise(() =>
      untilDelivered(sql, async () => (await receiver.tell("stats")).distinct >= eventsOfQueue)
    )
    const [seconds, after] = [(performance.now() - began) / 1000, meter.now()]
    return { rate: eventsOfQueue / seconds, cpu: cpuOfEach(before, after, eventsOfQueue) }
  })
  return Effect.runPromise(Effect.provide(work, PgClient.layer({ url: Redacted.make(databaseUrl) })))
}

/** Every company of every sender has an endpoint while the deliveries are measured. */
export const withReceiver = async (
  senders: ReadonlyArray<Sender>,
  use: (deliver: Deliver) => Promise<void>
): Promise<void> => {
  const receiver = await startReceiver()
  try {
    for (const { companies, running } of senders) {
      const endpoints = Effect.forEach(
        companies,
        (id) =>
          Effect.promise(() =>
            running.settings("PUT", `/companies/${id}/webhook-endpoints/test`, { url: receiver.url })
          ),
        { concurrency: madeAtOnce, discard: true }
      )
      await Effect.runPromise(endpoints)
    }
    await use((sender) => delivered(sender, receiver))
  } finally {
    receiver.stop()
  }
}
