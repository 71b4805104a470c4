/**
 * Ids from the platform's secure random source. `next` is a UUID of version 7 (RFC 9562, §6.2, method 1): 48 bits of
 * time, 12 bits that count, 62 random bits. The ids of one process rise strictly, whatever its clock does, so that what
 * is sorted by id is sorted by when it was made; ids of several processes are only as ordered as their clocks.
 */
import { randomUUID } from "node:crypto"
import { Layer } from "effect"
import { Ids } from "../../actors/kernel/Ids.ts"

/** Hexadecimal digits of the 48 bits of time. */
const timeDigits = 12

/** What the 12 bits after the version can count to. */
const largestCount = 0xfff

let lastTime = 0
let count = 0
/** The digits of `lastTime` as an id begins with them, up to its version. */
let beginning = ""

/** Counting begins anywhere in the lowest sixteenth, as one more thing in which the ids of two processes differ. */
const begin = (time: number, random: string): void => {
  const digits = time.toString(16).padStart(timeDigits, "0")
  lastTime = time
  beginning = `${digits.slice(0, 8)}-${digits.slice(8)}-7`
  count = Number.parseInt(random.slice(0, 2), 16)
}

export const nextId = (): string => {
  const random = randomUUID()
  // An id's time orders rows and decides nothing, so it needs no Clock that tests could move.
  // oxlint-disable-next-line no-restricted-properties
  const now = Date.now()
  // A clock that stands or steps back is not followed; a millisecond that is used up borrows from the next.
  if (now > lastTime) begin(now, random)
  else if (count === largestCount) begin(lastTime + 1, random)
  else count += 1
  // The rest of a version 4 UUID is random as it is, and begins with the same variant.
  return `${beginning}${count.toString(16).padStart(3, "0")}${random.slice(18)}`
}

export const layer = Layer.succeed(Ids, { next: nextId, unguessable: () => randomUUID() })
