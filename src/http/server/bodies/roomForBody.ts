/**
 * Lets a large body in. Room for it (`BodyBudget.ts`) is asked for by its announced size before a byte of it is read, or as it
 * comes when no size was announced, and is kept until the request is over. A body that nearly stands still gives its room
 * up. Small bodies need no room: the rate limit and the number of connections bound them.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { incomingMessage } from "../incomingMessage.ts"
import { CurrentWorkFor } from "../../../actors/kernel/WorkFor.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { addressCounted } from "../callers/clientAddress.ts"
import { mayBeLarger } from "../announcedSize.ts"
import { bodyPace } from "../BodyPace.ts"
import { CurrentBodyBudget, type BodyRoom } from "../admission/BodyBudget.ts"
import { httpLimits } from "../limits.ts"
import { problem, type Problem } from "../answers/problems.ts"
import { slowSince } from "../admission/slowUploads.ts"

const { bodySpan, fewestBytesPerBodySpan, largestSmallBody } = httpLimits

const noRoom = problem(
  "TEMPORARILY_UNAVAILABLE",
  "service",
  "Too many large bodies are on their way; send this one again in a moment",
  { "retry-after": "1" }
)

/** What comes so slowly is not waited for, so the connection ends with the answer. */
const tooSlow = problem("REQUEST_TIMEOUT", "body", undefined, { connection: "close" })

/** Whether there is room for so many bytes of the body, all that came before included. A reader asks with each piece, which counts for the turn of `BodyPace.ts`. */
export type HasRoom = (bytes: number) => boolean

type Request = HttpServerRequest.HttpServerRequest

/** Ends with the refusal as soon as a span of time brings too little. A customer's upload has a slower pace of its own. */
const untilTooSlow = (source: IncomingMessage, room: BodyRoom): Effect.Effect<never, Problem> =>
  Effect.suspend(() => {
    if (slowSince(source) !== null) return Effect.never
    let before = source.socket.bytesRead
    const span: Effect.Effect<never, Problem> = Effect.flatMap(Effect.sleep(bodySpan), () => {
      const came = source.socket.bytesRead - before
      before += came
      const takesRoom = room.bytes() > 0 && !source.complete
      return takesRoom && came < fewestBytesPerBodySpan ? Effect.fail(tooSlow) : span
    })
    return span
  })

/** Whether the body needs room: it says that it is large, or does not say how large it is. */
export const isLargeBody = (request: Request): boolean =>
  mayBeLarger(incomingMessage(request).headers, largestSmallBody)

/**
 * Reads a body of which `most` bytes are kept in memory at once. `read` asks for room as bytes come, and fails with `refused`
 * where there is none.
 */
export const withRoom = <A>(
  request: Request,
  most: number,
  read: (hasRoom: HasRoom, refused: Problem) => Effect.Effect<A, Problem>
): Effect.Effect<A, Problem> =>
  Effect.suspend(() => {
    const source = incomingMessage(request)
    const announced = Number(source.headers["content-length"] ?? 0)
    if (!isLargeBody(request)) return read(isRoom, noRoom)
    return Effect.gen(function* () {
      const owner = yield* CurrentWorkFor
      const budget = yield* CurrentBodyBudget
      const meter = yield* currentMeter
      const room = budget.open(owner.companyId === null ? { ...owner, who: yield* addressCounted(source) } : owner)
      // The answer is the end of the request, whatever becomes of its handler.
      NodeHttpServerRequest.toServerResponse(request).once("close", room.release)
      const isRoomFor: HasRoom = (bytes) => bytes <= largestSmallBody || room.holds(Math.min(bytes, most))
      let before = 0
      const hasRoom: HasRoom = (bytes) => {
        bodyPace(source, bytes - before)
        before = bytes
        return isRoomFor(bytes)
      }
      const all = isRoomFor(announced)
        ? Effect.raceFirst(read(hasRoom, noRoom), untilTooSlow(source, room))
        : Effect.fail(noRoom)
      return yield* Effect.tapError(all, (refusal) =>
        Effect.sync(() => {
          if (refusal === noRoom) meter.count("journeys_bodies_refused_total", { reason: "NO_ROOM" })
          if (refusal === tooSlow) meter.count("journeys_bodies_refused_total", { reason: "TOO_SLOW" })
        })
      )
    })
  })

const isRoom: HasRoom = () => true
