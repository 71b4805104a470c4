/**
 * Stands in for the process that reads videos: the "video" is an order what to do, and the answer, as the rule of a
 * refusal, tells what came of it.
 */
import { spawnSync } from "node:child_process"
import { getPriority } from "node:os"
import { readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { answerPieces, begun } from "../../../src/runtime/video/videoAnswer.ts"

const attempt = (act: () => unknown): string => {
  try {
    return `done: ${String(act())}`
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}

const busy = (): never => {
  for (;;) Math.sqrt(2)
}

const say = (rule: string) => {
  for (const piece of answerPieces({ _tag: "Refused", code: "UNREADABLE", rule })) process.stdout.write(piece)
}

const parts: Array<Uint8Array> = []
const [, , , , size] = process.argv
const orders = process.stdin as AsyncIterable<Uint8Array>
let heard = 0
for await (const part of orders) {
  parts.push(part)
  heard += part.length
}
const [order = "", rest = ""] = Buffer.concat(parts).toString().split(" ")
if (order === "fail") process.exit(1)
process.stdout.write(begun)
switch (order) {
  case "hear":
    say(`${heard} of ${size}`)
    break
  case "environment":
    say(Object.keys(process.env).join())
    break
  case "priority":
    say(String(getPriority()))
    break
  case "read":
    say(attempt(() => readFileSync(rest).length))
    break
  case "write":
    say(attempt(() => writeFileSync(join(tmpdir(), rest), rest)))
    break
  case "spawn":
    say(attempt(() => spawnSync("/bin/true").error ?? "ran"))
    break
  case "grow":
    say(attempt(() => Array.from({ length: 1e9 }, () => ({})).length))
    break
  case "babble":
    process.stdout.write(Buffer.alloc(Number(rest), "x"))
    break
  case "answer":
    process.stdout.write(`${rest}\n`)
    break
  case "crash":
    throw new Error("because of the video")
  case "busy":
    busy()
}
