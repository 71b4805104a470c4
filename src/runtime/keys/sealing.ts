/**
 * AES-256-GCM of the platform, and the two forms of what it seals. A value under a customer's key, or under the first key of an
 * older database, is `1 | nonce (12) | tag (16) | ciphertext`. A value under a master key is `2 | id of the key (8) | nonce | tag |
 * ciphertext`. The place is associated data in both, so a value opens nowhere else. Which key is used is decided in `AesVault.ts`.
 */
import { createCipheriv, createDecipheriv, type DecipherGCM, type KeyObject } from "node:crypto"
import { randomFrom } from "./randomPool.ts"

const withoutId = 1
const withId = 2
/**
 * The first byte of a customer's key that a key service has wrapped: `4 | mark of the key (8) | what the key service has made of it`.
 * Before there were marks it was `3 | what the key service has made of it`.
 */
export const byKeyService = 4
export const byKeyServiceUnmarked = 3
const keyIdBytes = 8
const nonceBytes = 12
const tagBytes = 16
/** So much is sealed at once: memory for it is there again for the next piece, and fresh memory costs more than sealing does. */
const pieceBytes = 32 * 1024

/** `keyId` is written into the value; null writes none. */
export const sealBytes = (key: KeyObject, place: string, plain: Uint8Array, keyId: string | null): Uint8Array => {
  const nonce = randomFrom(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place))
  const head = keyId === null ? Buffer.of(withoutId) : Buffer.concat([Buffer.of(withId), Buffer.from(keyId, "hex")])
  const bodyStart = head.length + nonceBytes + tagBytes
  const sealed = Buffer.allocUnsafe(bodyStart + plain.length)
  for (let at = 0; at < plain.length; at += pieceBytes) {
    cipher.update(plain.subarray(at, at + pieceBytes)).copy(sealed, bodyStart + at)
  }
  // GCM adds nothing at its end but the tag.
  cipher.final()
  sealed.set(head)
  sealed.set(nonce, head.length)
  sealed.set(cipher.getAuthTag(), head.length + nonceBytes)
  return sealed
}

/** The id that stands in a sealed value; null when none does. */
export const keyIdIn = (sealed: Uint8Array): string | null =>
  sealed[0] === withId ? Buffer.from(sealed.subarray(1, 1 + keyIdBytes)).toString("hex") : null

export const isByKeyService = (wrapped: Uint8Array): boolean =>
  wrapped[0] === byKeyService || wrapped[0] === byKeyServiceUnmarked

/** A wrapped key in a column, unless a key service has wrapped it. */
export const notByKeyService = (column: string): string =>
  `case when get_byte(${column}, 0) not in (${byKeyService}, ${byKeyServiceUnmarked}) then ${column} end`

/** The id of the key in a sealed value in a column. */
export const keyIdInColumn = (column: string): string =>
  `case when substring(${column} from 1 for 1) = '\\x0${withId}'::bytea then encode(substring(${column} from 2 for ${keyIdBytes}), 'hex') end`

export const openBytes = (key: KeyObject, place: string, sealed: Uint8Array): Uint8Array => {
  const { body, decipher } = begunWith(key, place, sealed)
  const plain = decipher.update(body)
  // Fails for what was changed, and adds nothing.
  decipher.final()
  return plain
}

/** Opens a value in the pieces in which it comes. The first of them holds all that stands before the ciphertext. */
export const pieceOpener = (key: KeyObject, place: string) => {
  const opened: Array<Uint8Array> = []
  let decipher: DecipherGCM | null = null
  return {
    add: (piece: Uint8Array): void => {
      let body = piece
      if (decipher === null) ({ body, decipher } = begunWith(key, place, piece))
      opened.push(decipher.update(body))
    },
    /** What was opened. Fails for what was changed: nothing of it may be used before. */
    end: (): ReadonlyArray<Uint8Array> => {
      if (decipher === null) throw new Error("no sealed bytes")
      decipher.final()
      return opened
    }
  }
}

/** What stands before the ciphertext is read, and `body` is what follows. */
const begunWith = (key: KeyObject, place: string, sealed: Uint8Array) => {
  if (sealed[0] !== withoutId && sealed[0] !== withId) throw new Error("unknown form of sealed bytes")
  const nonceStart = sealed[0] === withId ? 1 + keyIdBytes : 1
  const nonceEnd = nonceStart + nonceBytes
  const tagEnd = nonceEnd + tagBytes
  // The length of the tag is given, because the platform would otherwise accept the shorter tag of a truncated value.
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(nonceStart, nonceEnd), {
    authTagLength: tagBytes
  })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(nonceEnd, tagEnd))
  return { decipher, body: sealed.subarray(tagEnd) }
}
