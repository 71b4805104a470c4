/**
 * The port to encryption at rest. Each customer has a key, which is stored under the service's master key; to erase a customer
 * is to delete that key. Sealed bytes are bound to one place, so that they cannot be moved to another.
 */
import { Context, Effect } from "effect"
import type { StoreUnavailable, Unopenable } from "./StoreError.ts"

/** Where sealed bytes belong, for example `personal_records|<journey id>`. */
export type Place = string

/** A customer's key, unwrapped. It is kept only as long as the work that needs it. */
export interface DataKey {
  /** The key under the master key, as it is stored. */
  readonly wrapped: Uint8Array
  /** The beginning of the key's hash: it tells keys apart, under whichever master key they stand. */
  readonly id: () => string
  readonly seal: (place: Place, text: string) => Uint8Array
  readonly sealBytes: (place: Place, bytes: Uint8Array) => Uint8Array
  readonly open: (place: Place, sealed: Uint8Array) => Effect.Effect<string, Unopenable>
  readonly openBytes: (place: Place, sealed: Uint8Array) => Effect.Effect<Uint8Array, Unopenable>
  /** Opens a large value in the pieces in which it comes, so that others have their turn between two. */
  readonly openPieces: (place: Place) => PieceOpening
}

export interface PieceOpening {
  readonly add: (sealed: Uint8Array) => Effect.Effect<void, Unopenable>
  /** The pieces, opened. Until here nobody has proved that they are what was sealed. */
  readonly end: Effect.Effect<ReadonlyArray<Uint8Array>, Unopenable>
}

/** What a keyed hash is for. Each purpose has a key of its own. */
export type IndexPurpose = "email" | "member" | "registration" | "request" | "limit" | "key" | "proof"

export class Vault extends Context.Service<
  Vault,
  {
    readonly newKey: Effect.Effect<DataKey, StoreUnavailable>
    readonly keyOf: (wrapped: Uint8Array) => Effect.Effect<DataKey, Unopenable | StoreUnavailable>
    /** Seals a short secret of the service itself, such as a provider's, with the master key. */
    readonly sealSecret: (place: Place, text: string) => Uint8Array
    readonly openSecret: (place: Place, sealed: Uint8Array) => Effect.Effect<string, Unopenable>
    /** A keyed hash by which something is found without being stored: 32 bytes, different for each purpose. Text is the same as its UTF-8. */
    readonly index: (purpose: IndexPurpose, text: string | Uint8Array) => Uint8Array
  }
>()("journeys/actors/Vault") {}

/** The key of a customer who is there. The service checks its master key at the start: a key that does not open is damaged. */
export const customerKeyOf = (
  vault: Pick<Vault["Service"], "keyOf">,
  wrapped: Uint8Array
): Effect.Effect<DataKey, StoreUnavailable> =>
  Effect.catchTag(vault.keyOf(wrapped), "Unopenable", (error) => Effect.die(error))
