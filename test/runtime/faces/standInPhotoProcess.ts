/**
 * Stands in for the process that looks at photos: the "photo" is an order what to do, and the answer says which process did it. A test
 * hears of a photo that has arrived here, and lets it go, over a connection to the socket that the order names.
 */
import { once } from "node:events"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { getPriority } from "node:os"
import { photoLimits } from "../../../src/runtime/faces/limits.ts"
import { answerTo, lookIn, type PhotoSeen } from "../../../src/runtime/faces/looks/photoMessages.ts"
import { answerAll, comeAfterOthers, keepQuiet } from "../../../src/runtime/processes/answering.ts"

keepQuiet()

const taken: Array<unknown> = []

const attempt = (act: () => unknown): string => {
  try {
    return `done: ${String(act())}`
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}

const told = (rule: string): PhotoSeen => ({ _tag: "Unreadable", rule })

const see = async (text: string): Promise<PhotoSeen> => {
  const [order, rest = ""] = text.split(" ")
  switch (order) {
    case "environment":
      return told(Object.keys(process.env).join())
    case "priority":
      return told(String(getPriority()))
    case "read":
      return told(attempt(() => readFileSync(rest).length))
    case "write":
      return told(attempt(() => writeFileSync(rest, "")))
    case "run":
      return told(attempt(() => spawnSync(rest).error ?? ""))
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
      for (;;) Math.sqrt(2)
    case "fill":
      for (;;) taken.push(Array.from({ length: 1_000_000 }).fill(0))
    case "babble":
      process.stdout.write(`${text}\n`)
      return await new Promise(() => {})
    case "boast":
      return { _tag: "Read", photo, numbers: new Float32Array(1) }
    case "wait":
      await once(connect(rest).resume(), "close")
  }
  return { _tag: "Check", photo }
}

const photo = { jpeg: Buffer.from(String(process.pid)), print: new Uint8Array(), facePart: 0.2 }

comeAfterOthers(photoLimits.niceness)
await answerAll({ _tag: "Ready", backend: "wasm" }, async (question) =>
  answerTo(await see(Buffer.from(lookIn(question).photo).toString("latin1")))
)
