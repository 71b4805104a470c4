/**
 * `photoLoad.ts` and `isolation.ts` load this into the service before anything else. It measures how long the event loop is kept
 * waiting, how often the garbage of the whole heap is collected and how much memory the process has, and answers on a port of its
 * own. Every answer begins a new measurement.
 */
import { createServer } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"
import { countWholeHeapCollections } from "../support/wholeHeapCollections.ts"

export interface Probed {
  /** Milliseconds by which the loop was late, without the timer's own interval. */
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** Collections of the whole heap: each stops the event loop a few times. */
  readonly collections: number
  /** Megabytes. */
  readonly memory: number
  readonly mostMemory: number
}

/** Milliseconds between two looks. */
const resolution = 10
const memoryEveryMillis = 50

const start = (port: number): void => {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  let mostMemory = 0
  const collections = countWholeHeapCollections()
  let collectedBefore = 0
  const look = () => {
    mostMemory = Math.max(mostMemory, process.memoryUsage.rss() / 1e6)
  }
  setInterval(look, memoryEveryMillis).unref()
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  createServer((_, response) => {
    look()
    const probed: Probed = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      most: late(delay.max),
      collections: collections() - collectedBefore,
      memory: process.memoryUsage.rss() / 1e6,
      mostMemory
    }
    delay.reset()
    mostMemory = 0
    collectedBefore = collections()
    response.end(JSON.stringify(probed))
  })
    .listen(port, "127.0.0.1")
    .unref()
}

// npm, which starts the service, gets the same options.
if (isMainThread && process.argv[1]?.endsWith("runtime/start.js") === true)
  start(Number(process.env["BENCH_PROBE_PORT"]))
