/**
 * Reads an endpoint with its secrets opened. A secret that did not change is opened once, so reading again is cheap. When
 * to read is decided in `rules/`.
 */
import { Effect } from "effect"
import type { StoreUnavailable, Unopenable } from "../../kernel/StoreError.ts"
import { Vault } from "../../kernel/Vault.ts"
import { secretPlace } from "../rules/Endpoint.ts"
import type { EndpointSettings } from "../rules/EndpointMessage.ts"
import { signingKey, type SigningKey, type SigningKeys } from "../rules/signature.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import type { EndpointId } from "../../../schema/ids.ts"

interface OpenedSecret {
  readonly sealed: Uint8Array
  readonly key: SigningKey
}

/** An effect that reads the endpoint; null when there is none any more. */
export const settingsReader = Effect.fnUntraced(function* (
  endpointId: EndpointId
): Effect.fn.Return<
  Effect.Effect<EndpointSettings | null, StoreUnavailable | Unopenable>,
  never,
  WebhookDeliveryStore | Vault
> {
  const store = yield* WebhookDeliveryStore
  const vault = yield* Vault
  let opened: ReadonlyArray<OpenedSecret> = []

  const open = (sealed: Uint8Array): Effect.Effect<OpenedSecret, Unopenable> => {
    const before = opened.find((one) => Buffer.compare(one.sealed, sealed) === 0)
    return before === undefined
      ? Effect.map(vault.openSecret(secretPlace(endpointId), sealed), (text) => ({ sealed, key: signingKey(text) }))
      : Effect.succeed(before)
  }

  return Effect.gen(function* () {
    const endpoint = yield* store.endpoint(endpointId)
    if (endpoint === null || endpoint.removedAt !== null) return null
    const present = yield* open(endpoint.sealedSecret)
    const previous = yield* Effect.forEach(endpoint.previousSecrets, ({ sealed, until }) =>
      Effect.map(open(sealed), (secret) => ({ ...secret, until }))
    )
    opened = [present, ...previous]
    const keys: SigningKeys = { present: present.key, previous }
    return { endpoint, keys }
  })
})
