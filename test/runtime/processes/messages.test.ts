/** Messages between the service and its processes, in whatever pieces they arrive. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { messagePieces, messageReader, type Message } from "../../../src/runtime/processes/messages.ts"

const limits = { lineBytes: 200, partsBytes: 1000 }

const messages = fc.array(
  fc.record({
    line: fc.record({ said: fc.string({ maxLength: 20 }), count: fc.integer() }),
    parts: fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 4 })
  }),
  { minLength: 1, maxLength: 5 }
)

const bytesOf = (message: Message): Buffer => Buffer.concat(messagePieces(message))

/** What the reader makes of bytes that arrive in pieces of these lengths, over and over. */
const readIn = (bytes: Uint8Array, lengths: ReadonlyArray<number>) => {
  const reader = messageReader(limits)
  const heard: Array<Message> = []
  let at = 0
  for (let piece = 0; at < bytes.length; piece += 1) {
    const length = lengths[piece % lengths.length] ?? 1
    const whole = reader.take(bytes.subarray(at, at + length))
    if (whole === null) return null
    heard.push(...whole)
    at += length
  }
  return heard
}

const plain = (all: ReadonlyArray<Message> | null) =>
  all?.map(({ line, parts }) => ({ line, parts: parts.map((part) => [...part]) }))

it("messages arrive as they were sent, in whatever pieces", () => {
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (sent, lengths) => {
      expect(plain(readIn(Buffer.concat(sent.map(bytesOf)), lengths))).toEqual(plain(sent))
    })
  )
})

it("a message is given on with its last byte, and not before", () => {
  const bytes = bytesOf({ line: "a photo", parts: [Buffer.from("12"), Buffer.from("3")] })
  const reader = messageReader(limits)
  expect(reader.take(bytes.subarray(0, -1))).toEqual([])
  expect(plain(reader.take(bytes.subarray(-1)))).toEqual([{ line: "a photo", parts: [[0x31, 0x32], [0x33]] }])
})

it.each([
  ["no JSON", "hello\n"],
  ["no message", "{}\n"],
  ["nothing", "null\n"],
  ["a part of a negative length", `{"line":1,"parts":[-1]}\n`],
  ["a part of half a byte", `{"line":1,"parts":[0.5]}\n`],
  ["parts that are together larger than a message may be", `{"line":1,"parts":[500,501]}\n`],
  ["a line that is longer than a line may be", `{"line":"${"x".repeat(200)}","parts":[]}\n`],
  ["a line that goes on and on", "x".repeat(201)]
])("%s is not understood", (_, text) => {
  expect(readIn(Buffer.from(text), [7])).toBeNull()
})

it("parts as large as a message may be are understood", () => {
  const message = { line: 1, parts: [new Uint8Array(400), new Uint8Array(600)] }
  expect(plain(readIn(bytesOf(message), [64]))).toEqual(plain([message]))
})
