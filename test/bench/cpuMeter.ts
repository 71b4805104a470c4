/**
 * CPU time in microseconds, of a server's processes and of PostgreSQL, from /proc. Where there is none (not Linux), it is
 * zero. CPU time counts where the machine is shared: other work changes it less than it changes the rate.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { directly } from "../support/directly.ts"

/** Microseconds in a clock tick of /proc, which counts a hundred a second on every Linux. */
const tick = 10_000

/** A server whose nodes need less than this within a second, each, has nothing left to do: an idle node with Redis needs up to 35 ms. */
const quietMicros = 80_000

/** Seconds in a row. */
const quietFor: Readonly<Record<keyof Cpu, number>> = { service: 2, postgres: 5 }

interface ProcessTimes {
  readonly parent: number
  readonly group: number
  /** Microseconds of the process, and of its ended children. */
  readonly own: number
  readonly ended: number
}

const timesOf = (pid: string): ProcessTimes | null => {
  try {
    // The name in parentheses may hold spaces; what follows it is numbers.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? []
    const [, parent, group, , , , , , , , , user, system, endedUser, endedSystem] = fields.map(Number)
    return {
      parent: parent ?? 0,
      group: group ?? 0,
      own: ((user ?? 0) + (system ?? 0)) * tick,
      ended: ((endedUser ?? 0) + (endedSystem ?? 0)) * tick
    }
  } catch {
    return null // The process has ended since the folder was listed.
  }
}

export interface Cpu {
  readonly service: number
  readonly postgres: number
}

/** The CPU time between two moments, of each of so many. */
export const cpuOfEach = (before: Cpu, after: Cpu, count: number): Cpu => ({
  service: (after.service - before.service) / count,
  postgres: (after.postgres - before.postgres) / count
})

export const sumOf = ({ postgres, service }: Cpu): number => service + postgres

/** The processes of a server are groups, PostgreSQL's have one parent. */
const cpuOf = (groups: ReadonlyArray<number>, postmaster: number): Cpu => {
  let service = 0
  let postgres = 0
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const times = timesOf(pid)
    if (times === null) continue
    if (groups.includes(times.group)) service += times.own
    if (times.parent === postmaster) postgres += times.own
    // Children of the postmaster that have ended, those of its other children excluded.
    if (Number(pid) === postmaster) postgres += times.own + times.ended
  }
  return { service, postgres }
}

export interface CpuMeter {
  /** Microseconds until now. */
  readonly now: () => Cpu
  /**
   * Mail and alarms that a load leaves behind belong to it: waits until the server has been quiet for two seconds in a row. A single
   * one may lie between two looks for what is due. Or until PostgreSQL has been quiet for five: its checkpoints come in pieces.
   */
  readonly untilQuiet: (of?: keyof Cpu) => Promise<void>
}

/** Of the server whose processes are these groups (one for each of its nodes), and of the PostgreSQL that has the database. */
export const cpuMeter = async (databaseUrl: string, ...groups: ReadonlyArray<number>): Promise<CpuMeter> => {
  const postmaster = await directly(databaseUrl, async (query) => {
    const [backend] = await query<{ readonly pid: number }>("select pg_backend_pid() as pid")
    return timesOf(String(backend?.pid))?.parent ?? 0
  })
  const now = () => (existsSync("/proc/self/stat") ? cpuOf(groups, postmaster) : { service: 0, postgres: 0 })
  const untilQuiet: CpuMeter["untilQuiet"] = async (of = "service") => {
    const most = quietMicros * groups.length
    for (let before = now(), quietSeconds = 0; quietSeconds < quietFor[of];) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const after = now()
      quietSeconds = after[of] - before[of] < most ? quietSeconds + 1 : 0
      before = after
    }
  }
  return { now, untilQuiet }
}
