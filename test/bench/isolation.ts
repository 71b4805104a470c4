/**
 * `npm run bench:isolation`: what a company's reads and starts notice of another company's many requests at once (`burstLoads.ts`), photos,
 * video, archive of a case and large bodies (`isolationLoads.ts`). The reads come at a modest rate, so that the machine has room. Each round measures the quiet
 * service first and then each load in turn. The output has the medians of the rounds: the times of reads and starts, their p99 over
 * the quiet one of the same round, how late the event loop of the service was, how often it collected the
 * garbage of its whole heap, its memory, and how many of the quiet company's own photo
 * starts were not accepted. Compare rows of one run only.
 *
 * `npm run bench:isolation -- FOLDER` measures another checkout (with its packages installed) beside this one, each load in turns.
 * BENCH_ROUNDS (3) and BENCH_SECONDS (4) set the length, BENCH_ONLY chooses loads by a part of their names. BENCH_DATABASE_URL as
 * for `npm run bench`.
 */
import { randomUUID } from "node:crypto"
import { startExamples } from "../../src/schema/start/examples.ts"
import { freePort } from "../support/freePort.ts"
import { jsonPart, multipartBytes, photoPart } from "../support/multipart.ts"
import { distinctPhoto } from "../support/photos.ts"
import { bursts } from "./burstLoads.ts"
import { makeLoads, startPhoto, type Load, type Loud } from "./isolationLoads.ts"
import { bodyOf, load, type Loaded } from "./loading.ts"
import type { Probed } from "./loopProbe.ts"
import { withDatabase, withService, type Running } from "./running.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4)
const only = process.env["BENCH_ONLY"] ?? ""
const other = process.argv[2]
/** Some 300 reads and 20 starts a second. */
const reading = { connections: 8, pause: 25 }
const starting = { connections: 2, pause: 90 }
const photoEveryMillis = 1000
/** Between two rows the service works off what the last one left. */
const restMillis = 1500
/** The load has begun to work when the measurement begins. */
const leadMillis = 300
const quietName = "quiet"

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** One measurement of one row. */
interface Row {
  readonly reads: Loaded
  readonly starts: Loaded
  readonly loop: Probed
  readonly photos: ReadonlyArray<{ readonly took: number; readonly status: number }>
  readonly served: number
  readonly refused: number
}

/** A service that is measured. */
interface Side {
  readonly name: string
  readonly loud: Loud
  readonly measure: (load: Load | null) => Promise<Row>
  readonly rows: Map<string, Array<Row>>
}

const company = async ({ settings }: Running, name: string) => {
  const { id = "" } = await settings("POST", "/companies", { name, kind: "DEALER", adminEmail: `${name}@example.com` })
  await settings("PATCH", `/companies/${id}`, { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } })
  for (const wallet of ["APPLICATION", "IDENTITY"]) {
    await settings("POST", `/companies/${id}/wallets/${wallet}/credits`, { amount: 1_000_000, note: "Bench" })
  }
  const key = async (mode: string) => (await settings("POST", `/companies/${id}/api-keys`, { mode }))["key"] ?? ""
  return { id, liveKey: await key("LIVE"), testKey: await key("TEST") }
}

let photosSent = 0

/** One photo start a second, as the quiet company makes it. */
const photosWhile = async (baseUrl: string, key: string, isOn: () => boolean): Promise<Row["photos"]> => {
  const seen: Array<Row["photos"][number]> = []
  while (isOn()) {
    const began = performance.now()
    const { status } = await fetch(`${baseUrl}/api/v1/journeys`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "multipart/form-data; boundary=a-boundary",
        "idempotency-key": randomUUID()
      },
      body: multipartBytes([
        jsonPart(startExamples.FINANCE_SALE),
        photoPart(distinctPhoto(1_000_000 + (photosSent += 1)))
      ])
    })
    const took = performance.now() - began
    seen.push({ took, status })
    await pause(Math.max(0, photoEveryMillis - took))
  }
  return seen
}

const sideOf = async (name: string, running: Running, probe: () => Promise<Probed>): Promise<Side> => {
  const { operator, port } = running
  const baseUrl = `http://127.0.0.1:${port}`
  const quiet = await company(running, "quiet")
  const { id, ...keys } = await company(running, "loud")
  const plan = { ports: [port], apiKeys: [quiet.liveKey], body: bodyOf(startExamples.IDENTITY_DELIVERY) }
  const { ids } = await load({ ...plan, kind: "start", connections: 1, duration: 5000, most: 50, run: randomUUID() })
  const loud: Loud = { baseUrl, companyId: id, operator, ...keys }
  const measure: Side["measure"] = async (begin) => {
    const served = { served: 0, refused: 0 }
    const stop = begin?.(loud, served)
    await pause(leadMillis)
    await probe()
    const duration = seconds * 1000
    const ends = performance.now() + duration
    const [reads, starts, photos] = await Promise.all([
      load({ ...plan, ...reading, kind: "read", duration, ids }),
      load({ ...plan, ...starting, kind: "start", duration, run: randomUUID() }),
      photosWhile(baseUrl, quiet.liveKey, () => performance.now() < ends)
    ])
    const loop = await probe()
    await stop?.()
    // What still waits to be looked at belongs to this row.
    await startPhoto(loud, loud.testKey, startExamples.FINANCE_SALE)
    await pause(restMillis)
    return { reads, starts, loop, photos, ...served }
  }
  return { name, loud, measure, rows: new Map() }
}

const columns = [
  "read p50",
  "read p99",
  "over quiet",
  "start p99",
  "over quiet",
  "late p99",
  "late most",
  "GCs",
  "most MB",
  "photo p50",
  "photos no",
  "served",
  "refused"
]
const printed = (name: string, values: ReadonlyArray<string>) =>
  console.log(name.padEnd(36) + values.map((value) => value.padStart(11)).join(""))

/** The medians of a row's rounds, and of its ratio to the quiet row of each round. */
const shown = (name: string, rows: ReadonlyArray<Row>, quiet: ReadonlyArray<Row>): void => {
  const of = (value: (row: Row) => number) => median(rows.map(value)).toFixed(1)
  const over = (value: (row: Row) => number) =>
    median(rows.map((row, round) => value(row) / value(quiet[round] ?? row))).toFixed(2)
  const photos = rows.flatMap((row) => row.photos)
  const sum = (value: (row: Row) => number) => String(rows.reduce((all, row) => all + value(row), 0))
  printed(name, [
    of(({ reads }) => reads.p50),
    of(({ reads }) => reads.p99),
    over(({ reads }) => reads.p99),
    of(({ starts }) => starts.p99),
    over(({ starts }) => starts.p99),
    of(({ loop }) => loop.p99),
    of(({ loop }) => loop.most),
    median(rows.map(({ loop }) => loop.collections)).toFixed(0),
    median(rows.map(({ loop }) => loop.mostMemory)).toFixed(0),
    median(photos.map(({ took }) => took)).toFixed(0),
    `${photos.filter(({ status }) => status !== 202).length}/${photos.length}`,
    sum(({ served }) => served),
    sum(({ refused }) => refused)
  ])
}

const bench = async (sides: ReadonlyArray<Side>): Promise<void> => {
  const loads = [...bursts, ...(await makeLoads())].filter(([name]) => name.includes(only))
  for (const { measure } of sides) await measure(null)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, prepare] of [[quietName, null] as const, ...loads]) {
      for (const { loud, measure, rows } of sides) {
        const row = await measure(prepare === null ? null : await prepare(loud))
        if (row.reads.failures > 0) throw new Error(`${name}: ${row.reads.failures} reads failed`)
        rows.set(name, [...(rows.get(name) ?? []), row])
      }
    }
  }
  console.log(`milliseconds, medians of ${rounds} rounds of ${seconds} s; photos no, served and refused of all rounds`)
  printed("", columns)
  for (const [name] of [[quietName], ...loads]) {
    for (const side of sides) {
      const title = sides.length === 1 ? name : `${name} (${side.name})`
      shown(title, side.rows.get(name) ?? [], side.rows.get(quietName) ?? [])
    }
  }
}

/** Runs a service with the probe while it is used. */
const withSide = async (
  name: string,
  folder: string | undefined,
  use: (side: Side) => Promise<void>
): Promise<void> => {
  const probePort = await freePort()
  const probe = async (): Promise<Probed> => (await (await fetch(`http://127.0.0.1:${probePort}`)).json()) as Probed
  const environment = {
    NODE_OPTIONS: `--import=${new URL("loopProbe.ts", import.meta.url).href} ${process.env["BENCH_NODE_OPTIONS"] ?? ""}`,
    BENCH_PROBE_PORT: String(probePort)
  }
  await withDatabase((databaseUrl) =>
    withService(
      databaseUrl,
      environment,
      async (running) => {
        await use(await sideOf(name, running, probe))
      },
      folder
    )
  )
}

await withSide("this", undefined, (here) =>
  other === undefined ? bench([here]) : withSide("other", other, (there) => bench([here, there]))
)
