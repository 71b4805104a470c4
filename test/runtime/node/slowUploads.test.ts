/** How long a customer's upload may take: as long as every span brings enough, and not for ever. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { EventEmitter } from "node:events"
import type { IncomingMessage } from "node:http"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { mayComeSlowly } from "../../../src/http/server/admission/slowUploads.ts"
import { goesOn } from "../../../src/runtime/node/slowUploads.ts"

const span = 30_000
const enough = httpLimits.fewestBytesPerSpan

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const uploading = () => {
  const socket = { bytesRead: 500 }
  const source = Object.assign(new EventEmitter(), { socket, complete: false }) as unknown as IncomingMessage
  Effect.runSync(mayComeSlowly({ source } as unknown as HttpServerRequest.HttpServerRequest))
  const ended = vi.fn()
  return {
    socket,
    ended,
    source,
    begin: () => goesOn(source, ended),
    passSpan: (bytes: number) => {
      socket.bytesRead += bytes
      vi.advanceTimersByTime(span)
    }
  }
}

it("a request that was not allowed to come slowly does not go on", () => {
  const source = Object.assign(new EventEmitter(), { socket: { bytesRead: 1e9 }, complete: false })
  expect(goesOn(source as unknown as IncomingMessage, vi.fn())).toBe(false)
})

it("an upload that brought too little in its first span does not go on", () => {
  const upload = uploading()
  upload.socket.bytesRead += enough - 1
  expect(upload.begin()).toBe(false)
})

it("an upload goes on as long as each span brings enough, and ends with the first that does not", () => {
  const upload = uploading()
  upload.socket.bytesRead += enough
  expect(upload.begin()).toBe(true)
  for (let spans = 0; spans < 10; spans += 1) upload.passSpan(enough)
  expect(upload.ended).not.toHaveBeenCalled()
  upload.passSpan(enough - 1)
  expect(upload.ended).toHaveBeenCalledOnce()
  upload.passSpan(0)
  expect(upload.ended).toHaveBeenCalledOnce()
})

it("an upload ends after twenty minutes, whatever its pace", () => {
  const upload = uploading()
  upload.socket.bytesRead += enough
  expect(upload.begin()).toBe(true)
  for (let spans = 0; spans < 38; spans += 1) upload.passSpan(enough)
  expect(upload.ended).not.toHaveBeenCalled()
  upload.passSpan(enough)
  expect(upload.ended).toHaveBeenCalledOnce()
})

it("an upload that is in, or whose connection is gone, is not watched any more", () => {
  const complete = uploading()
  complete.socket.bytesRead += enough
  complete.begin()
  Object.assign(complete.source, { complete: true })
  complete.passSpan(0)
  const gone = uploading()
  gone.socket.bytesRead += enough
  gone.begin()
  gone.source.emit("close")
  gone.passSpan(0)
  expect([complete.ended.mock.calls, gone.ended.mock.calls, vi.getTimerCount()]).toEqual([[], [], 0])
})
