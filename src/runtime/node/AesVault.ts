/**
 * Encryption at rest with AES-256-GCM of the platform. The master key encrypts no data. HKDF (RFC 5869) derives keys
 * from it: one that wraps the customers' keys, one for the service's own secrets, and one for each kind of index. A
 * sealed value is `version (1) | nonce (12) | tag (16) | ciphertext`, with its place as associated data, so it opens
 * nowhere else.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { Vault, type DataKey } from "../../actors/kernel/Vault.ts"
import { Unopenable } from "../../actors/kernel/StoreError.ts"
import { randomFrom } from "./randomPool.ts"
import { Settings } from "../Settings.ts"

const version = 1
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

const sealBytes = (key: KeyObject, place: string, plain: Uint8Array): Uint8Array => {
  const nonce = randomFrom(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body])
}

const openBytes = (key: KeyObject, place: string, sealed: Uint8Array): Uint8Array => {
  if (sealed[0] !== version) throw new Error("unknown version of sealed bytes")
  const nonceEnd = 1 + nonceBytes
  const tagEnd = nonceEnd + tagBytes
  // The length of the tag is given, because the platform would otherwise accept the shorter tag of a truncated value.
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, nonceEnd), { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(nonceEnd, tagEnd))
  return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
}

const opening = <A>(place: string, open: () => A): Effect.Effect<A, Unopenable> =>
  Effect.try({ try: open, catch: () => new Unopenable({ place }) })

/** A wrapped key is bound only to being a key. The row that it stands in says whose key it is. */
const wrapPlace = "customer key"

const dataKey = (wrapped: Uint8Array, key: KeyObject): DataKey => ({
  wrapped,
  seal: (place, text) => sealBytes(key, place, Buffer.from(text)),
  sealBytes: (place, bytes) => sealBytes(key, place, bytes),
  open: (place, sealed) => opening(place, () => Buffer.from(openBytes(key, place, sealed)).toString()),
  openBytes: (place, sealed) => opening(place, () => openBytes(key, place, sealed))
})

export const make = (masterKey: Uint8Array): Vault["Service"] => {
  // Key objects are made once: to hand raw bytes to the platform costs more than the encryption itself.
  const derive = (purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync("sha256", masterKey, "journeys", purpose, keyBytes)))
  const wrapping = derive("wrap customer keys")
  const secrets = derive("service secrets")
  const indexes = {
    email: derive("email index"),
    member: derive("member address index"),
    registration: derive("registration index"),
    request: derive("request fingerprint"),
    limit: derive("rate limit bucket"),
    link: derive("sign-in link token")
  }
  return {
    newKey: () => {
      const bytes = randomFrom(keyBytes)
      return dataKey(sealBytes(wrapping, wrapPlace, bytes), createSecretKey(bytes))
    },
    keyOf: (wrapped) =>
      opening(wrapPlace, () => dataKey(wrapped, createSecretKey(openBytes(wrapping, wrapPlace, wrapped)))),
    sealSecret: (place, text) => sealBytes(secrets, place, Buffer.from(text)),
    openSecret: (place, sealed) => opening(place, () => Buffer.from(openBytes(secrets, place, sealed)).toString()),
    index: (purpose, text) => createHmac("sha256", indexes[purpose]).update(text).digest()
  }
}

export const layer = Layer.effect(
  Vault,
  Effect.map(Settings, (settings) => make(Redacted.value(settings.encryptionKey)))
)
