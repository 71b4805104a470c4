/** Counts how often V8 collects the garbage of this process's whole heap. A collection is counted a turn after it. */
import { constants, PerformanceObserver } from "node:perf_hooks"

const isOfWholeHeap = (entry: object): boolean =>
  "detail" in entry &&
  typeof entry.detail === "object" &&
  entry.detail !== null &&
  "kind" in entry.detail &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** Begins to count. The answer is the number until now. */
export const countWholeHeapCollections = (): (() => number) => {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().filter(isOfWholeHeap).length
  })
  observer.observe({ entryTypes: ["gc"] })
  return () => count
}
