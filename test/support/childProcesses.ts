/**
 * Finds the processes that run because this process has started them, or has had them started, by their command line. Processes of
 * other test runs on the machine are not counted.
 */
import { readdirSync, readFileSync } from "node:fs"

/** The name may contain anything but a closing bracket, so the numbers are read after it. */
const parentIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])

const isOurs = (pid: number): boolean => {
  const parent = parentIn(readFileSync(`/proc/${pid}/stat`, "utf8"))
  return parent === process.pid || (parent > 1 && isOurs(parent))
}

const commandOf = (pid: string): string => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")

export const childProcesses = (words: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && isOurs(Number(pid)) && commandOf(pid).includes(words)
    } catch {
      return false
    }
  })

/** A field of what the system says of a process, such as VmHWM: its largest memory so far, in kB. */
export const statusOf = (pid: string, field: string): string =>
  new RegExp(`^${field}:\\s+(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? ""
