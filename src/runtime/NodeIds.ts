/**
 * Ids from the platform's secure random source. `next` is a UUID of version 7 (RFC 9562): 48 bits of time, then random
 * bits; two of one millisecond are in no particular order.
 */
import { randomUUID } from "node:crypto"
import { Layer } from "effect"
import { Ids } from "../actors/journey/Ids.ts"

/** Hexadecimal digits of the 48 bits of time. */
const timeDigits = 12

export const nextId = (): string => {
  // An id's time orders rows and decides nothing, so it needs no Clock that tests could move.
  // oxlint-disable-next-line no-restricted-properties
  const time = Date.now().toString(16).padStart(timeDigits, "0")
  // The rest of a version 4 UUID is random as it is: the version's digit is replaced, the variant's bits are the same.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

export const layer = Layer.succeed(Ids, { next: nextId, unguessable: () => randomUUID() })
