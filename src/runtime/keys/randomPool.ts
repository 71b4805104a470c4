/**
 * Random bytes for nonces and keys. They are drawn from the platform's secure source in large pieces, because a draw
 * costs the same for twelve bytes as for thousands. Every byte is used once.
 */
import { randomFillSync } from "node:crypto"
import { randomLimits } from "./limits.ts"

const { randomPoolBytes } = randomLimits

const pool = Buffer.alloc(randomPoolBytes)
let used: number = randomPoolBytes

/** `count` fresh random bytes in memory of their own, at most `randomPoolBytes`. */
export const randomFrom = (count: number): Buffer => {
  if (used + count > randomPoolBytes) {
    randomFillSync(pool)
    used = 0
  }
  const drawn = Buffer.from(pool.subarray(used, used + count))
  // Bytes that became a key must not stay in the pool.
  pool.fill(0, used, used + count)
  used += count
  return drawn
}
