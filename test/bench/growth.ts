/**
 * What the service costs with an empty database and with many journeys: the second part of `npm run bench`. The journeys of one
 * company are written by SQL; then starts, reads of journeys that are not in memory, and decisions go over HTTP. At the end alarms
 * are overdue (`overdue.ts`).
 */
import { queryDirectly } from "../support/directly.ts"
import { cpuMeter, type CpuMeter } from "./cpuMeter.ts"
import { fillCompany } from "./manyJourneys.ts"
import { measured, startUndecided, type Side } from "./measured.ts"
import { measureOverdue } from "./overdue.ts"
import { withDatabase, withService } from "./running.ts"
import { startEachShape } from "./startEachShape.ts"
import { head, line } from "./table.ts"

/** The key of the service, with which the sealed records are written. */
const encryptionKey = Buffer.alloc(32, 7)
const connections = 32
const undecided = 3000

const randomJourneys = async (databaseUrl: string): Promise<ReadonlyArray<string>> => {
  const rows = await queryDirectly<{ readonly id: string }>(
    databaseUrl,
    "select id from journeys where not livemode order by md5(id::text) limit 50000"
  )
  return rows.map(({ id }) => id)
}

/**
 * Waits until PostgreSQL has written what filled the database: for minutes after a million journeys it was busy with its checkpoint and
 * its autovacuum, and a start seemed to cost twice as much. The role must be allowed to make a checkpoint (`pg_checkpoint`).
 */
const written = async (databaseUrl: string, meter: CpuMeter): Promise<void> => {
  await queryDirectly(databaseUrl, "checkpoint")
  await meter.untilQuiet("postgres")
}

const measureAt = async (databaseUrl: string, side: Side, journeys: number, millis: number): Promise<void> => {
  const title = (name: string) => `${name}, ${journeys.toLocaleString("en")} journeys`
  const print = async (name: string, operation: "start" | "read" | "decide", ids: ReadonlyArray<string>) =>
    console.log(line(title(name), connections, await measured(side, operation, { connections, ids, millis })))
  const ids = await startUndecided(side, undecided)
  await print("read", "read", await randomJourneys(databaseUrl))
  await print("finance-decision", "decide", ids)
  await print("start", "start", [])
}

/** `sizes` in the order in which the database grows. At the end so many alarms are overdue. */
export const measureGrowth = (sizes: ReadonlyArray<number>, millis: number, alarms: number): Promise<void> =>
  withDatabase(async (databaseUrl) => {
    const environment = { ENCRYPTION_KEY: encryptionKey.toString("base64") }
    await withService(databaseUrl, environment, async (running) => {
      await startEachShape(running, "growth")
      const side = { ports: [running.port], keys: [running.key], meter: await cpuMeter(databaseUrl, running.pid) }
      console.log(head("the service as its database grows"))
      let filled = 0
      for (const size of [0, ...sizes]) {
        if (size > filled) {
          await fillCompany(databaseUrl, running.companyId, encryptionKey, size - filled, filled)
          await written(databaseUrl, side.meter)
        }
        filled = size
        await measureAt(databaseUrl, side, size, millis)
      }
    })
    await measureOverdue(databaseUrl, environment, alarms)
  })
