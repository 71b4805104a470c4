/**
 * The processes this one has started and that run still, by what is on their command line; those of other test runs on
 * the machine are none of ours.
 */
import { readdirSync, readFileSync } from "node:fs"

/** After the name, which may hold anything but a closing bracket. */
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
