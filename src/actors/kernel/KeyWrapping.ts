/**
 * The ports to whoever wraps the customers' keys. `KeyWrapping` is what the vault asks. `KeyService` is for a key service of a cloud or a
 * hardware module: where a layer of it is given to the service, new customers' keys are wrapped there, and the keys of before are
 * opened by the master keys as ever (`runtime/keys/wrapping.ts`).
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable, Unopenable } from "./StoreError.ts"

interface Wraps {
  /** The key as it may be stored. `StoreUnavailable`: it cannot be wrapped now, and nothing is started. */
  readonly wrap: (key: Uint8Array) => Effect.Effect<Uint8Array, StoreUnavailable>
  /** `Unopenable`: never again. `StoreUnavailable`: not now, and whoever asks is told to come again. */
  readonly unwrap: (wrapped: Uint8Array) => Effect.Effect<Uint8Array, Unopenable | StoreUnavailable>
}

export class KeyWrapping extends Context.Service<KeyWrapping, Wraps>()("journeys/actors/KeyWrapping") {}

/**
 * What an adapter does: `wrap` encrypts 32 bytes under a key that never leaves the key service, and `unwrap` decrypts what `wrap` has
 * answered, also after the key service has changed its key. It is asked for `unwrap` whenever something of a customer is opened, so it
 * keeps unwrapped keys for a short time. A failure that may pass is `StoreUnavailable`.
 */
export class KeyService extends Context.Service<KeyService, Wraps>()("journeys/actors/KeyService") {}
