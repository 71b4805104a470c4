/**
 * `npm run bench:request-log`: what the request log adds to the CPU time of a start and of a read. Two services run side by side,
 * one of them without the log (`withoutRequestLog.ts`), and are loaded in turns: a shared machine changes from minute to minute,
 * and a turn is shorter than that. The figures are medians of the turns; the time of a request is that of the service's processes
 * and of PostgreSQL's, which writes the lines in batches.
 */
import { pathToFileURL } from "node:url"
import { join } from "node:path"
import { directly } from "../support/directly.ts"
import { cpuMeter, sumOf } from "./cpuMeter.ts"
import { measured, type Side } from "./measured.ts"
import { withDatabase, withService } from "./running.ts"

const turns = Number(process.env["BENCH_TURNS"] ?? 14)
const millis = Number(process.env["BENCH_SECONDS"] ?? 1.5) * 1000
const connections = 32
const hook = pathToFileURL(join(import.meta.dirname, "withoutRequestLog.ts")).href

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

/** Mail that leaves meanwhile would be counted, too. */
const withoutMail = (databaseUrl: string) =>
  directly(databaseUrl, async (query) => {
    await query(
      "create function unsent() returns trigger language plpgsql as 'begin new.due_at := null; new.sent_at := now(); return new; end'"
    )
    await query("create trigger unsent before insert on mails for each row execute function unsent()")
  })

const compare = async (withLog: Side, without: Side): Promise<void> => {
  const sides = [withLog, without]
  const ids = await Promise.all(
    sides.map(async (side) => (await measured(side, "start", { connections, millis: 5000 })).ids)
  )
  console.log(`${"".padEnd(10)}${"with log µs".padStart(14)}${"without µs".padStart(14)}${"ratio".padStart(10)}`)
  for (const operation of ["start", "read"] as const) {
    const figures: ReadonlyArray<Array<number>> = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      for (const at of turn % 2 === 0 ? [0, 1] : [1, 0]) {
        const side = sides[at]
        if (side === undefined) continue
        const { cpu } = await measured(side, operation, { connections, millis, ids: ids[at]?.slice(0, 2000) ?? [] })
        figures[at]?.push(sumOf(cpu))
      }
    }
    const [on = [], off = []] = figures
    const ratio = median(on.map((micros, turn) => micros / (off[turn] ?? micros)))
    console.log(
      operation.padEnd(10) +
        median(on).toFixed(0).padStart(14) +
        median(off).toFixed(0).padStart(14) +
        ratio.toFixed(3).padStart(10)
    )
  }
}

const withSide = (environment: Readonly<Record<string, string>>, use: (side: Side, url: string) => Promise<void>) =>
  withDatabase(async (url) => {
    await withService(url, environment, async ({ key, pid, port }) => {
      await withoutMail(url)
      await use({ keys: [key], ports: [port], meter: await cpuMeter(url, pid) }, url)
    })
  })

await withSide({}, (withLog, url) =>
  withSide({ NODE_OPTIONS: `--import=${hook}` }, async (without) => {
    await compare(withLog, without)
    const [lines] = await directly(url, (query) =>
      query<{ readonly count: string }>("select count(*)::text from requests")
    )
    console.log(`${lines?.count} lines stand in the log`)
  })
)
