/**
 * Ids from the platform's secure random source. `next` makes a UUID of version 7 (RFC 9562, §6.2, method 1): 48 bits of
 * time, a counter of 12 bits, 62 random bits. The ids of one process rise strictly even if its clock steps back, so
 * sorting by id sorts by creation. The ids of several processes are ordered only as well as their clocks.
 */
import { randomUUID } from "node:crypto"
import { Layer } from "effect"
import { Ids } from "../../actors/kernel/Ids.ts"

/** The 48 bits of time in hexadecimal digits. */
const timeDigits = 12

/** The largest number of the 12 bits after the version. */
const largestCount = 0xfff

let lastTime = 0
let count = 0
/** The digits with which an id of `lastTime` begins, up to its version. */
let beginning = ""

/**
 * The counter begins at a random number of its lowest sixteenth. This is one more difference between the ids of two
 * processes.
 */
const begin = (time: number, random: string): void => {
  const digits = time.toString(16).padStart(timeDigits, "0")
  lastTime = time
  beginning = `${digits.slice(0, 8)}-${digits.slice(8)}-7`
  count = Number.parseInt(random.slice(0, 2), 16)
}

export const nextId = (): string => {
  const random = randomUUID()
  // The time in an id orders rows and decides nothing, so it does not come from the Clock that tests move.
  // oxlint-disable-next-line no-restricted-properties
  const now = Date.now()
  // The ids do not follow a clock that stands still or steps back. A millisecond whose counter is used up borrows from
  // the next.
  if (now > lastTime) begin(now, random)
  else if (count === largestCount) begin(lastTime + 1, random)
  else count += 1
  // The rest of a version 4 UUID is random, and it begins with the same variant.
  return `${beginning}${count.toString(16).padStart(3, "0")}${random.slice(18)}`
}

export const layer = Layer.succeed(Ids, { next: nextId, unguessable: () => randomUUID() })
