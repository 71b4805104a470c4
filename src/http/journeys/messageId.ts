/**
 * The id of a caller's message. With an Idempotency-Key it follows from the key, so that a repeated operation is one
 * message and the journal knows it (decision I8); without one every request is a message of its own.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Ids } from "../../actors/journey/Ids.ts"
import { Vault } from "../../actors/journey/Vault.ts"
import type { Caller } from "../authentication.ts"
import { idempotencyKey } from "./startEndpoint.ts"

export const messageIdOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  caller: Caller,
  journeyId: string
) {
  if (NodeHttpServerRequest.toIncomingMessage(request).headers["idempotency-key"] === undefined) {
    return (yield* Ids).next()
  }
  const key = yield* idempotencyKey(request)
  const vault = yield* Vault
  const { company } = caller.key
  return uuidFrom(vault.index("request", `message|${company.id}|${caller.key.livemode}|${journeyId}|${key}`))
})

/** A UUID of version 8 (RFC 9562): its bits are ours to choose. */
const uuidFrom = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString("hex")
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
