/** How nice each thread of a process is to others, from /proc: Linux only. */
import { readdirSync, readFileSync } from "node:fs"

export const processNiceness = (pid: string): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1")
    // After the name in brackets, which may hold spaces: the state first, and the niceness seventeenth.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])
  })
