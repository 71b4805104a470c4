/**
 * `npm run chaos -- --minutes 10 --nodes 3 --callers 12 --seed 7`: random faults under load, then the verdict. Exits
 * with 1 if anything is wrong. The same seed brings the same faults in the same order, but not at the same instants.
 */
import { parseArgs } from "node:util"
import { chaos } from "./chaos.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    nodes: { type: "string", default: "3" },
    callers: { type: "string", default: "8" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) }
  }
})

const numberOf = (name: keyof typeof values, least: number, most: number): number => {
  const value = Number(values[name])
  if (value >= least && value <= most) return value
  console.error(`--${name} must be a number from ${least} to ${most}`)
  process.exit(2)
}
const minutes = numberOf("minutes", 0.1, 24 * 60)
const seed = numberOf("seed", 0, 2 ** 32)
const nodes = numberOf("nodes", 2, 9)
const callers = numberOf("callers", 1, 200)

const began = performance.now()
const say = (line: string) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}`)
say(`${nodes} nodes, ${callers} callers, ${minutes} minutes, seed ${seed}`)

const { bytesPerJourney, log, quietAfter, struck, takeOvers, wrongs } = await chaos({
  seed,
  nodes,
  callers,
  lasting: minutes * 60_000,
  say
})

const seconds = (millis: number | null | undefined) =>
  millis === undefined ? "-" : millis === null ? "more than 60 s" : `${(millis / 1000).toFixed(1)} s`
const share = (part: number) => seconds(takeOvers[Math.ceil(takeOvers.length * part) - 1])
const acknowledged = log.starts.filter((start) => start.acknowledged !== null).length
console.log(`
faults       ${struck.length}
starts       ${log.starts.length}, acknowledged ${acknowledged}; operations done ${log.done.length}
answers      ${log.answers}, of them 503 ${log.refusals}; dropped or out of patience ${log.drops}, nobody there ${log.unreachable}
take-overs   ${takeOvers.length}: p50 ${share(0.5)}, p99 ${share(0.99)}, longest ${seconds(takeOvers.at(-1))}
quiet        ${seconds(quietAfter)} after the last fault
database     ${(bytesPerJourney / 1024).toFixed(1)} KB a journey, its deliveries included
wrong        ${wrongs.length}`)
for (const wrong of wrongs.slice(0, 50)) console.log(`  ${wrong}`)
process.exit(wrongs.length === 0 ? 0 : 1)
