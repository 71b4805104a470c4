/**
 * Random bytes for nonces and keys. They are drawn from the platform's secure source in large pieces, because a draw
 * costs the same for twelve bytes as for thousands. Every byte is used once.
 */
import { randomFillSync } from "node:crypto"
import { nodeLimits } from "./limits.ts"

const pool = Buffer.alloc(nodeLimits.randomPoolBytes)
let used: number = nodeLimits.randomPoolBytes

/** `count` fresh random bytes in memory of their own, at most `randomPoolBytes`. */
export const randomFrom = (count: number): Buffer => {
  if (used + count > nodeLimits.randomPoolBytes) {
    randomFillSync(pool)
    used = 0
  }
  const drawn = Buffer.from(pool.subarray(used, used + count))
  // Bytes that became a key must not stay in the pool.
  pool.fill(0, used, used + count)
  used += count
  return drawn
}
