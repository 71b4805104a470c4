/**
 * The thread that watches the main thread's event loop, started by `watchLoop.ts`. The thread counts its own waits instead of
 * time: a machine that slept, or a process that was frozen and goes on, has missed one beat and not many.
 */
import { writeSync } from "node:fs"
import { workerData } from "node:worker_threads"

const { beatEvery, beats, beatsMissed } = workerData as {
  readonly beats: Int32Array<SharedArrayBuffer>
  readonly beatEvery: number
  readonly beatsMissed: number
}

const stderr = 2

const isAlive = (): boolean => {
  const seen = Atomics.load(beats, 0)
  for (let missed = 0; missed < beatsMissed; missed++) {
    if (Atomics.wait(beats, 0, seen, beatEvery) !== "timed-out") return true
  }
  return false
}

while (isAlive());

writeSync(stderr, `The event loop has stood still for ${(beatEvery * beatsMissed) / 1000} s: the process ends itself\n`)
process.kill(process.pid, "SIGKILL")
