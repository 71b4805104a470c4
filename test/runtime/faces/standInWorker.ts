/**
 * Stands in for the thread that looks at photos: the "photo" is an order what to do, and the answer says which thread
 * did it. Tests hear of photos that have arrived here, and let them go, over a channel.
 */
import { once } from "node:events"
import { BroadcastChannel, parentPort, threadId } from "node:worker_threads"
import type { PhotoLook, PhotoSeen, WorkerStarted } from "../../../src/runtime/faces/threads/photoWorker.ts"

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.postMessage({ backend: "stand-in" } satisfies WorkerStarted)

const taken: Array<unknown> = []
const forever = new Int32Array(new SharedArrayBuffer(4))

export const look = async ({ photos: [photo] }: PhotoLook): Promise<PhotoSeen> => {
  const text = Buffer.from(photo).toString("latin1")
  const [order, name = ""] = text.split(" ")
  switch (order) {
    case "environment":
      return { _tag: "Unreadable", rule: Object.keys(process.env).join() }
    case "exit":
      return process.exit(3)
    case "throw":
      throw new Error(`what is ${text}`)
    case "crash":
      setImmediate(() => {
        throw new SyntaxError(`what is ${text}`)
      })
      return await new Promise(() => {})
    case "hang":
      Atomics.wait(forever, 0, 0)
      break
    case "fill":
      for (;;) taken.push(Array.from({ length: 1_000_000 }).fill(0))
    case "wait":
      await letGo(name)
  }
  return { _tag: "Check", photo: { jpeg: new Uint8Array([threadId]), print: new Uint8Array(), facePart: 0.2 } }
}

const letGo = async (name: string): Promise<void> => {
  const channel = new BroadcastChannel(name)
  const went = once(channel as unknown as EventTarget, "message")
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  channel.postMessage("arrived")
  await went
  channel.close()
}
