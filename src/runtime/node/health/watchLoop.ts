/**
 * Ends the process when its event loop stands still. A loop that is stuck cannot watch itself: another thread
 * (`loopWatcher.ts`) waits for a beat that the main thread gives every second.
 */
import { url as inspectorUrl } from "node:inspector"
import { Worker } from "node:worker_threads"
import { Duration } from "effect"
import { stopLimits } from "./limits.ts"

const beatEvery = Duration.toMillis(stopLimits.beatEvery)
const beatsMissed = stopLimits.mostBeatsMissed

export const watchLoop = (): void => {
  // A debugger stops the loop on purpose.
  if (inspectorUrl() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  new Worker(new URL("./loopWatcher.ts", import.meta.url), {
    workerData: { beats, beatEvery, beatsMissed },
    env: {},
    // Options of this process, such as a debugger, are not for the thread.
    execArgv: []
  })
    .on("error", (error) => console.error(`Nobody watches the event loop any more: ${String(error)}`))
    .unref()
  setInterval(() => {
    Atomics.add(beats, 0, 1)
    Atomics.notify(beats, 0)
  }, beatEvery).unref()
}
