/** The rest of a refused body, which is read so that the client hears the refusal, takes turns with all other large bodies. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { HttpServerRequest } from "effect/http"
import { EventEmitter, once } from "node:events"
import { drain } from "../../../src/http/server/answers/unreadBody.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"

const piece = Buffer.alloc(64 * 1024)

/** A request whose body arrives by hand, and that tells when it is stopped and goes on. */
const uploading = (bytes: number) => {
  const source = Object.assign(new EventEmitter(), {
    headers: { "content-length": String(bytes) },
    complete: false,
    destroyed: false,
    pause: () => source.emit("told to pause"),
    resume: () => source.emit("told to go on")
  })
  return { source, request: { source } as unknown as HttpServerRequest.HttpServerRequest }
}

describe("the rest of a refused body", () => {
  it.live("waits for its turn once it has brought what one turn of the loop may bring, and is read to its end", () =>
    Effect.gen(function* () {
      const { request, source } = uploading(5 * 2 ** 20)
      const draining = yield* Effect.forkChild(drain(request) ?? Effect.die("nothing to read"), {
        startImmediately: true
      })
      let pauses = 0
      source.on("told to pause", () => (pauses += 1))
      const goesOn = once(source, "told to go on")
      for (let brought = 0; brought < httpLimits.bodyBytesPerTurn; brought += piece.length) {
        assert.strictEqual(pauses, 0)
        source.emit("data", piece)
      }
      assert.strictEqual(pauses, 1)
      yield* Effect.promise(() => goesOn)
      source.emit("end")
      yield* Fiber.join(draining)
    })
  )
})
