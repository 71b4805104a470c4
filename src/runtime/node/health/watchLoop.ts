/**
 * Ends the process when its event loop stands still. A loop that is stuck cannot watch itself: a thread of its own
 * (`loopWatcher.ts`) waits for a beat that this one gives every second.
 */
import { url as inspectorUrl } from "node:inspector"
import { Worker } from "node:worker_threads"

/** Milliseconds between beats; also how long the watcher waits for one before it counts it as missed. */
const beatEvery = 1000

/** Beats that may be missed one after another. Other nodes have taken over long before, so this is for tidiness. */
const beatsMissed = 20

export const watchLoop = (): void => {
  // Whoever debugs stops the loop on purpose.
  if (inspectorUrl() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  new Worker(new URL("./loopWatcher.ts", import.meta.url), {
    workerData: { beats, beatEvery, beatsMissed },
    env: {},
    // What was asked of this process is not asked of the thread.
    execArgv: []
  })
    .on("error", (error) => console.error(`Nobody watches the event loop any more: ${String(error)}`))
    .unref()
  setInterval(() => {
    Atomics.add(beats, 0, 1)
    Atomics.notify(beats, 0)
  }, beatEvery).unref()
}
