/**
 * Encryption at rest with AES-256-GCM of the platform. A customer's key seals what is personal, and is itself wrapped
 * (`KeyWrapping`); the service's own secrets are sealed by the master keys of this node. Indexes have keys of their own, which
 * stay when the master key changes: they find what was written before. Where those are kept is decided in `runtime/keys`.
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Effect } from "effect"
import type { KeyWrapping } from "../../actors/kernel/KeyWrapping.ts"
import { Unopenable } from "../../actors/kernel/StoreError.ts"
import type { DataKey, IndexPurpose, Vault } from "../../actors/kernel/Vault.ts"
import { derivedKey, keyMarkOf, masterKeysOf, type MasterKeys } from "./MasterKeys.ts"
import { randomFrom } from "./randomPool.ts"
import { openBytes, pieceOpener, sealBytes } from "./sealing.ts"

/** Bytes of a customer's key. */
export const keyBytes = 32

const opening = <A>(place: string, open: () => A): Effect.Effect<A, Unopenable> =>
  Effect.try({ try: open, catch: () => new Unopenable({ place }) })

/** A wrapped key is bound only to being a key. The row that it stands in says whose key it is. */
export const wrapPlace = "customer key"

const dataKey = (wrapped: Uint8Array, bytes: Uint8Array): DataKey => {
  const key = createSecretKey(bytes)
  return {
    wrapped,
    id: () => Buffer.from(keyMarkOf("journeys customer key id", bytes)).toString("hex"),
    seal: (place, text) => sealBytes(key, place, Buffer.from(text), null),
    sealBytes: (place, plain) => sealBytes(key, place, plain, null),
    open: (place, sealed) => opening(place, () => Buffer.from(openBytes(key, place, sealed)).toString()),
    openBytes: (place, sealed) => opening(place, () => openBytes(key, place, sealed)),
    openPieces: (place) => {
      const { add, end } = pieceOpener(key, place)
      return { add: (piece) => opening(place, () => add(piece)), end: opening(place, end) }
    }
  }
}

/** What an index's key is derived for, from the first master key of a database. */
const derivedFor: Readonly<Record<IndexPurpose, string>> = {
  email: "email index",
  member: "member address index",
  registration: "registration index",
  request: "request fingerprint",
  limit: "rate limit bucket",
  key: "API key mark",
  proof: "erasure proof"
}

export type IndexKeys = Readonly<Record<IndexPurpose, Uint8Array>>

const purposes = Object.keys(derivedFor) as ReadonlyArray<IndexPurpose>

/** The keys of all indexes, from a master key. */
export const indexKeysFrom = (masterKey: Uint8Array): IndexKeys =>
  indexKeys((purpose) => derivedKey(masterKey, derivedFor[purpose]))

/** The keys of all indexes, each as it is found. */
export const indexKeys = (keyFor: (purpose: IndexPurpose) => Uint8Array): IndexKeys =>
  // Every purpose is there, because the list of purposes is the table's.
  Object.fromEntries(purposes.map((purpose) => [purpose, keyFor(purpose)])) as unknown as IndexKeys

/** Customers' keys under the master keys of this node. */
export const localWrapping = (keys: MasterKeys): KeyWrapping["Service"] => ({
  wrap: (key) => Effect.sync(() => keys.seal("wrap customer keys", wrapPlace, key)),
  unwrap: (wrapped) => keys.open("wrap customer keys", wrapPlace, wrapped)
})

export const vaultOf = (
  keys: MasterKeys,
  wrapping: KeyWrapping["Service"],
  indexedWith: IndexKeys
): Vault["Service"] => {
  const indexes = new Map<IndexPurpose, KeyObject>(
    purposes.map((purpose) => [purpose, createSecretKey(indexedWith[purpose])])
  )
  const indexOf = (purpose: IndexPurpose): KeyObject => {
    const key = indexes.get(purpose)
    if (key === undefined) throw new Error(`no key for the index ${purpose}`)
    return key
  }
  return {
    newKey: Effect.suspend(() => {
      const bytes = randomFrom(keyBytes)
      return Effect.map(wrapping.wrap(bytes), (wrapped) => dataKey(wrapped, bytes))
    }),
    keyOf: (wrapped) => Effect.map(wrapping.unwrap(wrapped), (bytes) => dataKey(wrapped, bytes)),
    sealSecret: (place, text) => keys.seal("service secrets", place, Buffer.from(text)),
    openSecret: (place, sealed) =>
      Effect.map(keys.open("service secrets", place, sealed), (bytes) => Buffer.from(bytes).toString()),
    index: (purpose, text) => createHmac("sha256", indexOf(purpose)).update(text).digest()
  }
}

/** The vault of a database that never had another key than this one. */
export const make = (masterKey: Uint8Array): Vault["Service"] => {
  const keys = masterKeysOf(masterKey)
  return vaultOf(keys, localWrapping(keys), indexKeysFrom(masterKey))
}
