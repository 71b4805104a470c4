/**
 * The master keys of a node: one seals, and all of them open. A master key encrypts no data. HKDF (RFC 5869) derives keys from it:
 * one that wraps the customers' keys, and one for the service's own secrets. Its id is the beginning of its hash, so that two nodes
 * with one key agree on its id. Where the keys come from is decided in `settings/Settings.ts`.
 */
import { createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto"
import { Unopenable } from "../../actors/kernel/StoreError.ts"
import { Effect } from "effect"
import { keyIdIn, openBytes, sealBytes } from "./sealing.ts"

const keyBytes = 32
/** Bytes of a hash by which a key is known again. */
export const keyMarkBytes = 8

/** A key is known again by its mark, which tells nothing of the key. `what`: marks for one thing are none for another. */
export const keyMarkOf = (what: string, key: Uint8Array): Uint8Array =>
  hash("sha256", Buffer.concat([Buffer.from(`${what}|`), key]), "buffer").subarray(0, keyMarkBytes)

/** What a master key is used for. */
export type KeyUse = "wrap customer keys" | "service secrets"

/** A key for one purpose. It tells nothing about the master key, nor about the keys for other purposes. */
export const derivedKey = (masterKey: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", masterKey, "journeys", purpose, keyBytes))

/** The id of a master key, as it stands in sealed values: sixteen hexadecimal digits. */
export const masterKeyId = (masterKey: Uint8Array): string =>
  Buffer.from(keyMarkOf("journeys master key id", masterKey)).toString("hex")

export interface MasterKeys {
  /** The id of the key that seals. */
  readonly sealingId: string
  /** The ids of all keys, the sealing one first. */
  readonly ids: ReadonlyArray<string>
  readonly seal: (use: KeyUse, place: string, plain: Uint8Array) => Uint8Array
  readonly open: (use: KeyUse, place: string, sealed: Uint8Array) => Effect.Effect<Uint8Array, Unopenable>
  /** The same value under the key that seals. */
  readonly reseal: (use: KeyUse, place: string, sealed: Uint8Array) => Effect.Effect<Uint8Array, Unopenable>
}

/** Key objects are made once: to hand raw bytes to the platform costs more than the encryption itself. */
const objectOf = (masterKey: Uint8Array, use: KeyUse) => createSecretKey(derivedKey(masterKey, use))

const trying = (place: string, work: () => Uint8Array) =>
  Effect.try({ try: work, catch: () => new Unopenable({ place }) })

/** `namelessId`: the key of values without an id. While it seals, it writes no ids either: older nodes may read beside this one. */
export const masterKeysOf = (
  sealing: Uint8Array,
  others: ReadonlyArray<Uint8Array> = [],
  namelessId: string | null = null
): MasterKeys => {
  const keys = new Map(
    [sealing, ...others].map((masterKey): [string, Readonly<Record<KeyUse, KeyObject>>] => [
      masterKeyId(masterKey),
      {
        "wrap customer keys": objectOf(masterKey, "wrap customer keys"),
        "service secrets": objectOf(masterKey, "service secrets")
      }
    ])
  )
  const sealingId = masterKeyId(sealing)
  const written = sealingId === namelessId ? null : sealingId

  const keyOf = (id: string): Readonly<Record<KeyUse, KeyObject>> => {
    const key = keys.get(id)
    if (key === undefined) throw new Error("no such key")
    return key
  }
  const openNow = (use: KeyUse, place: string, sealed: Uint8Array): Uint8Array =>
    openBytes(keyOf(keyIdIn(sealed) ?? namelessId ?? sealingId)[use], place, sealed)
  const seal = (use: KeyUse, place: string, plain: Uint8Array) =>
    sealBytes(keyOf(sealingId)[use], place, plain, written)

  return {
    sealingId,
    ids: [...keys.keys()],
    seal,
    open: (use, place, sealed) => trying(place, () => openNow(use, place, sealed)),
    reseal: (use, place, sealed) => trying(place, () => seal(use, place, openNow(use, place, sealed)))
  }
}
