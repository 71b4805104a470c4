/** One operation of one server under load, with the CPU time that a request costs. What is compared with what is said by its callers. */
import { startExamples } from "../../src/schema/start/examples.ts"
import { cpuOfEach, type Cpu, type CpuMeter } from "./cpuMeter.ts"
import { bodyOf, load, type Loaded } from "./loading.ts"
import { middle } from "./table.ts"

export const operations = ["start", "read", "decide"] as const
export type Operation = (typeof operations)[number]

/** A server that is measured: the service, or the plain server beside it. */
export interface Side {
  /** Of its nodes, which share the connections. */
  readonly ports: ReadonlyArray<number>
  /** A key of each company that takes its turn. */
  readonly keys: ReadonlyArray<string>
  readonly meter: CpuMeter
}

export interface Measured extends Loaded {
  /** Microseconds a request, until the last is answered. */
  readonly cpu: Cpu
  /** Microseconds a request of what is left behind: the mail of a start. */
  readonly later: Cpu
}

interface Load {
  readonly connections: number
  readonly millis: number
  /** The journeys that are read or decided. Each is decided once, so a run may end early. */
  readonly ids?: ReadonlyArray<string>
  /** The most starts. */
  readonly most?: number
}

let runs = 0

/** Journeys that wait for a decision. */
export const startUndecided = async ({ keys, meter, ports }: Side, most: number): Promise<ReadonlyArray<string>> => {
  const body = bodyOf(startExamples.FINANCE_ALREADY_SUBMITTED)
  const plan = { ports, apiKeys: keys, kind: "start", connections: 32, duration: 60_000, most, body, run: `u${runs++}` }
  const { ids } = await load(plan)
  await meter.untilQuiet()
  return ids
}

export const measured = async (
  { keys, meter, ports }: Side,
  operation: Operation,
  { connections, ids = [], millis, most }: Load
): Promise<Measured> => {
  await meter.untilQuiet()
  const before = meter.now()
  const loaded = await load({
    ports,
    apiKeys: keys,
    kind: operation,
    connections,
    duration: millis,
    ...(most === undefined ? {} : { most }),
    ids,
    body: bodyOf(startExamples.IDENTITY_DELIVERY),
    run: `m${runs++}`
  })
  const after = meter.now()
  if (operation === "start") await meter.untilQuiet()
  const quiet = meter.now()
  return { ...loaded, cpu: cpuOfEach(before, after, loaded.count), later: cpuOfEach(after, quiet, loaded.count) }
}

/** The same on journeys that wait for a decision, so many that are started first; a start needs none. */
export const measuredOnNew = async (
  side: Side,
  operation: Operation,
  { undecided, ...plan }: Pick<Load, "connections" | "millis"> & { readonly undecided: number }
): Promise<Measured> => {
  const ids = operation === "start" ? [] : await startUndecided(side, undecided)
  return measured(side, operation, { ...plan, ids })
}

/** Measures each in turns, so often, and answers with what was measured of each, round by round. */
export const allInTurns = async <Compared, A>(
  all: ReadonlyArray<Compared>,
  rounds: number,
  measure: (one: Compared) => Promise<A>
): Promise<ReadonlyArray<ReadonlyArray<A>>> => {
  const results = all.map(() => new Array<A>())
  for (let round = 0; round < rounds; round++) {
    for (const [at, one] of all.entries()) results[at]?.push(await measure(one))
  }
  return results
}

/** The same, and answers with the middle of each. */
export const inTurns = async <Compared, A extends { readonly rate: number }>(
  all: ReadonlyArray<Compared>,
  rounds: number,
  measure: (one: Compared) => Promise<A>
): Promise<ReadonlyArray<A>> => (await allInTurns(all, rounds, measure)).flatMap((ofOne) => middle(ofOne) ?? [])
