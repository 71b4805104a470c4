/**
 * Finds the processes that this process has started and that still run, by their command line. Processes of other test
 * runs on the machine are not counted.
 */
import { readdirSync, readFileSync } from "node:fs"

/** The name may contain anything but a closing bracket, so the numbers are read after it. */
const parentIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])

export const childProcesses = (words: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      const isOurs = /^\d+$/.test(pid) && parentIn(readFileSync(`/proc/${pid}/stat`, "utf8")) === process.pid
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(words)
    } catch {
      return false
    }
  })
