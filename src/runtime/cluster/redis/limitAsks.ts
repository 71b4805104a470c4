/**
 * Hands the rate limits that one tick of the event loop asks for to Redis in one call, equal asks as one. The script is in
 * `limitScript.ts`. What holds while Redis does not answer is the business of `RedisRateLimiter.ts`.
 */
import type { Redis as Client } from "ioredis"
import { rateLimitSeconds } from "../../../http/server/limits.ts"
import type { Allowance } from "../../../http/server/admission/RateLimiter.ts"
import { redisLimits } from "./limits.ts"
import { askScript } from "./limitScript.ts"
import { script } from "./script.ts"

export interface LimitAsk {
  /** The bucket's name in Redis. */
  readonly key: string
  readonly limit: number
  /** Whether the request is counted if it is admitted. */
  readonly isTaken: boolean
}

/** Called once, with null if Redis did not answer. */
type Heard = (answer: Allowance | null) => void

/** Asks that differ in nothing; the first of them are admitted. */
interface Equals extends LimitAsk {
  readonly heard: Array<Heard>
}

/** Answers each of those who asked as if they had asked one after the other. */
const answer = ({ heard, isTaken, limit }: Equals, before: number, leavesIn: number): void => {
  let count = before
  for (const hear of heard) {
    const admitted = count < limit
    if (admitted && isTaken) count += 1
    hear({
      admitted,
      limit,
      remaining: Math.max(0, limit - count),
      resetSeconds: count === 0 ? 0 : Math.ceil(leavesIn / 1000)
    })
  }
}

export const makeLimitAsking = (client: Client): ((ask: LimitAsk, heard: Heard) => void) => {
  const run = script(askScript)
  let waiting = new Map<string, Equals>()
  let asked = 0

  const send = (): void => {
    const sent = [...waiting.values()]
    waiting = new Map()
    asked = 0
    if (sent.length === 0) return
    const counted = sent.flatMap(({ heard, isTaken, limit }) => [limit, isTaken ? heard.length : 0])
    run(
      client,
      sent.map(({ key }) => key),
      [rateLimitSeconds * 1000, ...counted]
    ).then(
      (answers) => {
        // The shape of the answer stands in `limitScript.ts`.
        const numbers = answers as ReadonlyArray<number>
        for (const [at, one] of sent.entries()) answer(one, numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0)
      },
      () => {
        for (const { heard } of sent) for (const hear of heard) hear(null)
      }
    )
  }

  return (ask, heard) => {
    // Those who ask in this tick, whatever connection they came on, are all here when it ends.
    if (asked === 0) setImmediate(send)
    const name = `${ask.key} ${ask.limit} ${ask.isTaken}`
    const equals = waiting.get(name)
    if (equals === undefined) waiting.set(name, { ...ask, heard: [heard] })
    else equals.heard.push(heard)
    asked += 1
    if (asked === redisLimits.mostLimitsAtOnce) send()
  }
}
