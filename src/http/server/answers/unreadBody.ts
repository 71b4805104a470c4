/**
 * The rest of a body that nobody reads. If a server answers and closes the connection while bytes are unread, the system
 * of the client throws the answer away. So the rest of a refused upload is read and forgotten before the answer is sent.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { incomingMessage } from "../incomingMessage.ts"
import { mayBeLarger } from "../announcedSize.ts"
import { bodyPace } from "../BodyPace.ts"
import { httpLimits } from "../limits.ts"

/**
 * Reads the rest of a large body; null when there is nothing to read. A client that waits for "100 Continue" before it sends
 * the body is not told to go on.
 */
export const drain = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> | null => {
  const source = incomingMessage(request)
  return source.complete || source.destroyed || !isLarge(source) || source.headers.expect !== undefined
    ? null
    : Effect.timeoutOrElse(readOn(source), { duration: httpLimits.longestDrain, orElse: () => Effect.void })
}

const isLarge = ({ headers }: IncomingMessage): boolean => mayBeLarger(headers, httpLimits.bytesLeftToTheServer)

const readOn = (source: IncomingMessage): Effect.Effect<void> =>
  Effect.suspend(() => {
    let received = 0
    const untilQuiet = Effect.gen(function* () {
      let before = -1
      while (received !== before) {
        before = received
        yield* Effect.sleep(httpLimits.drainPause)
      }
    })
    const count = (chunk: Uint8Array) => {
      received += chunk.length
      // What is refused comes again and again, from many at once.
      bodyPace(source, chunk.length)
    }
    return Effect.raceFirst(untilEnd(source, count), untilQuiet)
  })

const untilEnd = (source: IncomingMessage, read: (chunk: Uint8Array) => void): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const done = () => resume(Effect.void)
    source.once("end", done).once("close", done).on("data", read)
    return Effect.sync(() => source.off("end", done).off("close", done).off("data", read))
  })
