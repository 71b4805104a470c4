/**
 * Who wraps the customers' keys: the master keys of the node, or a key service where one is given. A key that a key service has wrapped
 * begins with a byte that the master keys never write, so both kinds stand beside each other: once a key service is given, new
 * customers' keys go there, and those of before open as ever.
 */
import { Effect, Option } from "effect"
import { KeyService, type KeyWrapping } from "../../actors/kernel/KeyWrapping.ts"
import { StoreUnavailable, Unopenable } from "../../actors/kernel/StoreError.ts"
import { keyBytes, wrapPlace } from "./AesVault.ts"
import { keyMarkBytes, keyMarkOf } from "./MasterKeys.ts"
import { byKeyService, isByKeyService } from "./sealing.ts"
import { keyServiceLimits } from "./limits.ts"

const away = (cause: unknown) => new StoreUnavailable({ cause })

/** A key service that hangs holds nobody up for long, and one whose adapter fails unexpectedly is away: another try may succeed. */
const answered = <E>(ask: () => Effect.Effect<Uint8Array, E>): Effect.Effect<Uint8Array, E | StoreUnavailable> =>
  Effect.suspend(ask).pipe(
    Effect.timeoutOrElse({
      duration: keyServiceLimits.answerWithin,
      orElse: () => Effect.fail(away("the key service did not answer in time"))
    }),
    Effect.catchDefect((defect) => Effect.fail(away(defect)))
  )

/** What answers with anything but a key has answered nothing: with it somebody would seal what nobody opens. */
const unwrapped = (service: KeyWrapping["Service"], wrapped: Uint8Array) =>
  answered(() => service.unwrap(wrapped)).pipe(
    Effect.filterOrFail(
      (key) => key.length === keyBytes,
      () => away("the key service answered with no key")
    )
  )

const markOf = (key: Uint8Array) => keyMarkOf("journeys wrapped key", key)

/** A key service that answers with another key is away: with that one somebody would seal what nobody opens. */
const unwrappedSurely = (service: KeyWrapping["Service"], wrapped: Uint8Array) => {
  if (wrapped[0] !== byKeyService) return unwrapped(service, wrapped.subarray(1))
  const mark = wrapped.subarray(1, 1 + keyMarkBytes)
  return Effect.filterOrFail(
    unwrapped(service, wrapped.subarray(1 + keyMarkBytes)),
    (key) => Buffer.from(markOf(key)).equals(mark),
    () => away("the key service answered with another key")
  )
}

/** A new key is used only if the key service gives it back: it seals what must open for years. */
const wrappedSurely = Effect.fnUntraced(function* (service: KeyWrapping["Service"], key: Uint8Array) {
  const wrapped = yield* answered(() => service.wrap(key))
  const again = yield* Effect.catchTag(unwrapped(service, wrapped), "Unopenable", (cause) => Effect.fail(away(cause)))
  if (!Buffer.from(again).equals(key)) return yield* away("the key service does not open what it has wrapped")
  return Buffer.concat([Buffer.of(byKeyService), markOf(key), wrapped])
})

/** `local`: customers' keys under the master keys of this node. */
export const wrappingOver = Effect.fnUntraced(function* (local: KeyWrapping["Service"]) {
  const service = Option.getOrNull(yield* Effect.serviceOption(KeyService))
  const unwrapThere = (wrapped: Uint8Array) =>
    service === null ? Effect.fail(new Unopenable({ place: wrapPlace })) : unwrappedSurely(service, wrapped)
  return {
    wrap: (key: Uint8Array) => (service === null ? local.wrap(key) : wrappedSurely(service, key)),
    unwrap: (wrapped: Uint8Array) => (isByKeyService(wrapped) ? unwrapThere(wrapped) : local.unwrap(wrapped))
  } satisfies KeyWrapping["Service"]
})
