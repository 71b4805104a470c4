/**
 * `npm run bench:tracing`: what telemetry adds to the cost of a start, compared in one run: without a receiver, and
 * with one at a share of 0, 10 and 100 % of the traces. One service runs at a time, so each has the machine to itself.
 * The rounds take turns, because shared machines change from minute to minute. The receiver is a process of its own
 * that throws everything away. CPU time is that of the service's own process on both cores; other work on the machine
 * hardly changes it.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { startExamples } from "../../src/schema/start/examples.ts"
import { freePort } from "../support/freePort.ts"
import { withDatabase, withService } from "./running.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 5)
const rounds = 3
const connections = 32

const body = JSON.stringify(startExamples.IDENTITY_DELIVERY).replace(/"email":"[^"]*"/, '"email":"{{n}}@example.com"')

/** One measurement of `load.ts`. */
interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

const load = async (plan: object): Promise<Measured> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load.ts")], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(child.stdout)) as Measured
}

/** Milliseconds of CPU time of a process and its descendants. The kernel counts in hundredths of a second. */
const cpuMillis = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim()
  const below = children === "" ? [] : children.split(" ").map((child) => cpuMillis(Number(child)))
  return (Number(fields[11]) + Number(fields[12])) * 10 + below.reduce((sum, one) => sum + one, 0)
}

const sink = `require("node:http").createServer((q, a) => { q.resume(); q.on("end", () => a.end("{}")) }).listen(+process.argv[1], "127.0.0.1")`
const port = await freePort()
const receiver = spawn(process.execPath, ["-e", sink, String(port)], { stdio: "ignore" })
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }

const variants: ReadonlyArray<readonly [name: string, environment: Readonly<Record<string, string>>]> = [
  ["no receiver", {}],
  ["share 0", { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "0" }],
  ["share 0.1", { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "0.1" }],
  ["share 1", { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "1" }]
]

console.log(
  `${"".padEnd(20)}${"starts a second".padStart(16)}${"p50 ms".padStart(10)}${"p99 ms".padStart(10)}${"CPU ms each".padStart(15)}`
)
for (let round = 1; round <= rounds; round++) {
  for (const [name, environment] of variants) {
    await withDatabase((databaseUrl) =>
      withService(databaseUrl, environment, async (service) => {
        const plan = { ports: [service.port], apiKeys: [service.key], kind: "start", connections, body, ids: [] }
        await load({ ...plan, duration: 2000, run: "warm" })
        const before = cpuMillis(service.pid)
        const { p50, p99, rate } = await load({ ...plan, duration: seconds * 1000, run: "measured" })
        const each = (cpuMillis(service.pid) - before) / (rate * seconds)
        console.log(
          name.padEnd(20) +
            rate.toFixed(0).padStart(16) +
            p50.toFixed(2).padStart(10) +
            p99.toFixed(2).padStart(10) +
            each.toFixed(3).padStart(15)
        )
      })
    )
  }
}
receiver.kill()
