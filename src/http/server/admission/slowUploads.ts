/**
 * Which requests may take longer than others: what somebody who is signed in uploads, perhaps over a slow line. A handler says so
 * once it knows who that is, so that nobody else can hold a connection for long. The server of `runtime/node` keeps the time.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { incomingMessage } from "../incomingMessage.ts"

/** The bytes that the connection had brought when its request was allowed to come slowly. */
const allowed = new WeakMap<IncomingMessage, number>()

/** From now on the request may take as long as it keeps its pace (`httpLimits.fewestBytesPerSpan`). */
export const mayComeSlowly = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.sync(() => {
    const source = incomingMessage(request)
    allowed.set(source, source.socket.bytesRead)
  })

/** The bytes of the connection before the request's body. Null: the request may not come slowly. */
export const slowSince = (source: IncomingMessage): number | null => allowed.get(source) ?? null
