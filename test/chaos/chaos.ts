/**
 * Lets faults hit a cluster under load, one after another, and reports what came of it: what callers were told, how
 * long take-overs took, and everything that is wrong afterwards.
 */
import { ClientLog } from "./ClientLog.ts"
import { dice } from "./Dice.ts"
import { faults, type Fault } from "./faults.ts"
import { caller, type Callers } from "./load.ts"
import { startProbes, untilAllAnswer } from "./probes.ts"
import { quiet, wrongs } from "./verdict.ts"
import { withWorld, type World } from "./World.ts"

export interface Plan {
  readonly seed: number
  readonly nodes: number
  readonly callers: number
  /** Every fault once, in an order by the dice, or faults at random for so many milliseconds. */
  readonly lasting: "each once" | number
  readonly say: (line: string) => void
}

export interface Report {
  readonly log: ClientLog
  readonly struck: ReadonlyArray<string>
  /**
   * Milliseconds from the end of a node until every probe answered, shortest first. Null stands for longer than a
   * minute.
   */
  readonly takeOvers: ReadonlyArray<number | null>
  readonly wrongs: ReadonlyArray<string>
  /** Milliseconds from the end of the last fault until nothing was due any more. */
  readonly quietAfter: number
  /** Bytes of the database at the end, indexes included, for each journey in it. */
  readonly bytesPerJourney: number
}

const wait = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))
/** Milliseconds between two faults. */
const leastCalm = 500
const mostCalm = 3000

export const chaos = async ({ callers: count, lasting, nodes, say, seed }: Plan): Promise<Report> => {
  const log = new ClientLog()
  const throws = dice(seed)
  const struck: Array<string> = []
  const takeOvers: Array<number | null> = []
  let found: ReadonlyArray<string> = []
  let quietAfter = 0
  let bytesPerJourney = 0

  const strikeOnce = async (world: World, probing: Callers, probes: ReadonlyArray<string>, fault: Fault) => {
    const victim = throws.oneOf(world.nodes)
    struck.push(fault.name)
    const undo = await fault.strike(world, victim, throws)
    if (fault.isTakeOver) {
      // Asks the other nodes, because the hurt one may be frozen and never answer.
      const others = world.nodes.filter((node) => node !== victim).map(({ baseUrl }) => baseUrl)
      const took = await untilAllAnswer({ ...probing, baseUrls: () => others }, probes)
      takeOvers.push(took)
      say(
        `${fault.name} (${victim.name}): taken over in ${took === null ? "more than 60" : (took / 1000).toFixed(1)} s`
      )
    } else say(fault.name)
    await undo()
    await wait(throws.between(leastCalm, mostCalm))
  }

  await withWorld(nodes, async (world) => {
    const upNow = () => world.nodes.filter(({ isUp }) => isUp).map(({ baseUrl }) => baseUrl)
    const run = `run-${seed}`
    const calling: Callers = { baseUrls: upNow, apiKey: world.apiKey, log, dice: dice(seed + 1), run }
    // The answers to probes are only about the take-over.
    const probing: Callers = { ...calling, apiKey: world.probeKey, log: new ClientLog(), dice: dice(seed + 2) }
    const probes = await startProbes(probing)
    let isOver = false
    const load = Array.from({ length: count }, (_, name) => caller(calling, name, () => isOver))
    if (lasting === "each once") {
      const left = [...faults]
      while (left.length > 0) {
        const [fault] = left.splice(throws.below(left.length), 1)
        if (fault !== undefined) await strikeOnce(world, probing, probes, fault)
      }
    } else {
      const end = performance.now() + lasting
      while (performance.now() < end) await strikeOnce(world, probing, probes, throws.oneOf(faults))
    }
    const calmFrom = performance.now()
    isOver = true
    await Promise.all(load)
    const left = await quiet(world)
    quietAfter = performance.now() - calmFrom
    found = [...left.map((what) => `INV-17: ${what}`), ...(await wrongs(world, log))]
    const [size] = await world.query<{ readonly bytes: number }>(
      "select (pg_database_size(current_database()) / (select count(*) from journeys))::float8 as bytes"
    )
    bytesPerJourney = size?.bytes ?? 0
    if (found.length > 0) for (const node of world.nodes) say(`--- ${node.name}\n${node.said}`)
  })
  const byTime = takeOvers.toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity))
  return { log, struck, takeOvers: byTime, wrongs: found, quietAfter, bytesPerJourney }
}
