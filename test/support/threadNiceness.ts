/** How nice each thread of this process is to others, from /proc: Linux only. */
import { readdirSync, readFileSync } from "node:fs"

const folder = "/proc/self/task"

export const threadNiceness = (): ReadonlyArray<number> =>
  readdirSync(folder).map((thread) => {
    const stat = readFileSync(`${folder}/${thread}/stat`, "latin1")
    // After the name in brackets, which may hold spaces: the state first, and the niceness seventeenth.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])
  })
