/**
 * Random bytes for nonces and keys, drawn from the platform's secure source in large pieces: a draw costs the same for
 * twelve bytes as for thousands. Every byte is handed out once.
 */
import { randomFillSync } from "node:crypto"
import { nodeLimits } from "./limits.ts"

const pool = Buffer.alloc(nodeLimits.randomPoolBytes)
let used: number = nodeLimits.randomPoolBytes

/** `count` fresh random bytes, at most `randomPoolBytes`, in memory of their own. */
export const randomFrom = (count: number): Buffer => {
  if (used + count > nodeLimits.randomPoolBytes) {
    randomFillSync(pool)
    used = 0
  }
  const drawn = Buffer.from(pool.subarray(used, used + count))
  // What was handed out as a key must not lie around here.
  pool.fill(0, used, used + count)
  used += count
  return drawn
}
