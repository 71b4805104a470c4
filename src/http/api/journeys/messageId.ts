/**
 * The id of a caller's message. With an Idempotency-Key it follows from the key, so that a repeated operation is one
 * message and the journal knows it (decision I8); without one every request is a message of its own.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { uuidFrom } from "../../../actors/journey/rules/derivedId.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { Caller } from "../../server/authentication.ts"
import { idempotencyKey } from "./startEndpoint.ts"

/** The request's key, or null when it has none. */
export const optionalIdempotencyKey = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request).headers["idempotency-key"] === undefined
    ? Effect.succeed(null)
    : idempotencyKey(request)

export const messageIdOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  caller: Caller,
  journeyId: string
) {
  const key = yield* optionalIdempotencyKey(request)
  if (key === null) return (yield* Ids).next()
  const vault = yield* Vault
  const { company } = caller.key
  return uuidFrom(vault.index("request", `message|${company.id}|${caller.key.livemode}|${journeyId}|${key}`))
})
