/** Runs the closed-loop client of `load.ts` and reads what it measured. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"

export interface Loaded {
  readonly rate: number
  readonly count: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly most: number
  readonly failures: number
  readonly ids: ReadonlyArray<string>
}

export const load = async (plan: object): Promise<Loaded> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load.ts")], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(JSON.stringify({ ids: [], ...plan }))
  return JSON.parse(await text(child.stdout)) as Loaded
}

/** A body in which every start has a new customer. */
export const bodyOf = (example: object): string =>
  JSON.stringify(example).replace(/"email":"[^"]*"/, '"email":"{{n}}@example.com"')
