/**
 * The port to whoever wraps the customers' keys. Here the master keys of the node do (`localWrapping` in
 * `runtime/node/AesVault.ts`). A key service of a cloud or a hardware module takes their place with another layer of this port,
 * given in `runtime/App.ts`: it is asked when a customer's first journey starts and whenever something of a customer is opened,
 * so it should keep unwrapped keys for a short time. What it answers must hold the id of its key if it changes its keys.
 */
import { Context, type Effect } from "effect"
import type { Unopenable } from "./StoreError.ts"

export class KeyWrapping extends Context.Service<
  KeyWrapping,
  {
    readonly wrap: (key: Uint8Array) => Effect.Effect<Uint8Array>
    readonly unwrap: (wrapped: Uint8Array) => Effect.Effect<Uint8Array, Unopenable>
  }
>()("journeys/actors/KeyWrapping") {}
