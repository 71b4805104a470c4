/**
 * Who wraps the customers' keys: the master keys of the node, or a key service where one is given. A key that a key service has wrapped
 * begins with a byte that the master keys never write, so both kinds stand beside each other: once a key service is given, new
 * customers' keys go there, and those of before open as ever.
 */
import { Effect, Option } from "effect"
import { KeyService, type KeyWrapping } from "../../actors/kernel/KeyWrapping.ts"
import { StoreUnavailable, Unopenable } from "../../actors/kernel/StoreError.ts"
import { wrapPlace } from "../node/AesVault.ts"
import { byKeyService, isByKeyService } from "../node/sealing.ts"
import { keyServiceLimits } from "./limits.ts"

/** A key service that hangs holds nobody up for long. */
const inTime = <A, E>(asked: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
  Effect.timeoutOrElse(asked, {
    duration: keyServiceLimits.answerWithin,
    orElse: () => Effect.fail(new StoreUnavailable({ cause: "the key service did not answer in time" }))
  })

/** `local`: customers' keys under the master keys of this node. */
export const wrappingOver = Effect.fnUntraced(function* (local: KeyWrapping["Service"]) {
  const service = Option.getOrNull(yield* Effect.serviceOption(KeyService))
  const unwrapThere = (wrapped: Uint8Array) =>
    service === null ? Effect.fail(new Unopenable({ place: wrapPlace })) : inTime(service.unwrap(wrapped.subarray(1)))
  return {
    wrap: (key: Uint8Array) =>
      service === null
        ? local.wrap(key)
        : Effect.map(inTime(service.wrap(key)), (wrapped) => Buffer.concat([Buffer.of(byKeyService), wrapped])),
    unwrap: (wrapped: Uint8Array) => (isByKeyService(wrapped) ? unwrapThere(wrapped) : local.unwrap(wrapped))
  } satisfies KeyWrapping["Service"]
})
