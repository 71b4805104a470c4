/**
 * A process that calls one function, once in each turn of its loop, until V8 has compiled the function to its fastest code. It prints after
 * how many calls. `v8Flags.int.test.ts` runs it with `--allow-natives-syntax`.
 */
import { runInThisContext } from "node:vm"

const turn = () => new Promise((resolve) => setImmediate(resolve))
const rows = Array.from({ length: 20 }, (_, at) => ({ at }))
const most = 100_000
/** The bit of V8's answer that says so. */
const fastest = 1 << 6

const work = (of: ReadonlyArray<{ readonly at: number }>): number => {
  let sum = 0
  for (const { at } of of) sum += at
  return sum
}

// Only V8 can read this call, no parser of TypeScript.
const statusOf = runInThisContext("(work) => %GetOptimizationStatus(work)") as (of: typeof work) => number

let calls = 0
while (calls < most && (statusOf(work) & fastest) === 0) {
  work(rows)
  calls += 1
  await turn()
}
process.stdout.write(JSON.stringify({ calls }))
