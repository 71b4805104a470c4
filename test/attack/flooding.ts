/**
 * Runs one flood on a thread of its own. What others notice is measured on another thread: beside thirty photos that are built and sent on the
 * same event loop, every measured time would contain the attacker's own work. The thread comes after the service and the probe where
 * cores are few (Linux only): a real attacker has a machine of its own.
 */
import { once } from "node:events"
import { platform, setPriority } from "node:os"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { floods, type Target } from "./floods.ts"

interface Flooding {
  readonly name: string
  readonly target: Target
}

/** Begins the flood of this name and answers, once it has begun, with what ends it. */
export const beginFlood = async (name: string, target: Target): Promise<() => Promise<void>> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: { name, target } satisfies Flooding })
  await once(worker, "message")
  return async () => {
    const ended = once(worker, "exit")
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    worker.postMessage("stop")
    await ended
  }
}

const niceness = 10

if (!isMainThread && parentPort !== null) {
  if (platform() === "linux") setPriority(niceness)
  const { name, target } = workerData as Flooding
  const [, begin] = floods.find(([title]) => title === name)!
  const stop = await begin(target)
  const stopping = once(parentPort, "message")
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort.postMessage("begun")
  await stopping
  await stop()
}
