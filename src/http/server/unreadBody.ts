/**
 * What a client still sends while its answer is ready. A server that answers and closes with bytes unread makes the
 * client's system throw the answer away, so the rest of a refused upload is read, and forgotten, before it is answered.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"

/** Slower clients are answered while they send. */
const longestWait = "5 seconds"
/** A client that has sent nothing for so long waits for its answer. */
const pause = "250 millis"

/** The server itself reads on after the answer, up to this many bytes. */
const leftToTheServer = 256 * 1024

/** Reads what is left of a body that was not read to its end. A client that waits for leave to send it gets none. */
export const drain = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> => {
  const source = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
  return source.complete || source.destroyed || !isLarge(source) || source.headers.expect !== undefined
    ? Effect.void
    : Effect.timeoutOrElse(readOn(source), { duration: longestWait, orElse: () => Effect.void })
}

const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > leftToTheServer

const readOn = (source: IncomingMessage): Effect.Effect<void> =>
  Effect.suspend(() => {
    let received = 0
    const untilQuiet = Effect.gen(function* () {
      let before = -1
      while (received !== before) {
        before = received
        yield* Effect.sleep(pause)
      }
    })
    const count = (chunk: Uint8Array) => {
      received += chunk.length
    }
    return Effect.raceFirst(untilEnd(source, count), untilQuiet)
  })

const untilEnd = (source: IncomingMessage, read: (chunk: Uint8Array) => void): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const done = () => resume(Effect.void)
    source.once("end", done).once("close", done).on("data", read)
    return Effect.sync(() => source.off("end", done).off("close", done).off("data", read))
  })
