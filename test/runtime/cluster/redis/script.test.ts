/** What a script does about a Redis that does not answer, or has lost the script. */
import type { Redis as Client } from "ioredis"
import { describe, expect, it } from "vitest"
import { redisLimits } from "../../../../src/runtime/cluster/redis/limits.ts"
import { scriptOn } from "../../../../src/runtime/cluster/redis/script.ts"

/** A connection that answers as the test says. Every answer that is not told in advance is 7. */
const connection = (...answers: ReadonlyArray<string>) => {
  const coming = [...answers]
  let madeAnew = 0
  let sentWhole = 0
  const client = {
    status: "ready",
    evalsha: async () => {
      const failure = coming.shift()
      if (failure !== undefined && failure !== "ANSWER") throw new Error(failure)
      return 7
    },
    eval: async () => {
      sentWhole += 1
      return 7
    },
    disconnect: () => {
      madeAnew += 1
    }
  }
  const run = scriptOn(client as unknown as Client, "return 7", [])
  return {
    ask: () => run([]).catch(({ message }: Error) => message),
    madeAnew: () => madeAnew,
    sentWhole: () => sentWhole
  }
}

const late = "Command timed out"
const many = (answer: string, count: number) => Array.from({ length: count }, () => answer)
const { mostUnanswered } = redisLimits

describe("a script of Redis", () => {
  it("keeps its connection while few answers in a row are late, and makes it anew when too many are", async () => {
    const { ask, madeAnew } = connection(...many(late, mostUnanswered))
    for (let at = 1; at < mostUnanswered; at++) expect([await ask(), madeAnew()]).toEqual([late, 0])
    expect([await ask(), madeAnew()]).toEqual([late, 1])
  })

  it("counts late answers anew after one in time: a Redis that is slow now and then keeps its connections", async () => {
    const { ask, madeAnew } = connection(...many(late, mostUnanswered - 1), "ANSWER", ...many(late, mostUnanswered - 1))
    for (let at = 1; at < 2 * mostUnanswered; at++) await ask()
    expect([await ask(), madeAnew()]).toEqual([7, 0])
  })

  it("takes a refusal for no late answer", async () => {
    const { ask, madeAnew } = connection(...many("READONLY", 2 * mostUnanswered))
    for (let at = 0; at < 2 * mostUnanswered; at++) expect(await ask()).toBe("READONLY")
    expect(madeAnew()).toBe(0)
  })

  it("is sent whole to a Redis that has lost it, and only then", async () => {
    const { ask, sentWhole } = connection("ANSWER", "NOSCRIPT No matching script")
    expect([await ask(), sentWhole()]).toEqual([7, 0])
    expect([await ask(), sentWhole()]).toEqual([7, 1])
  })
})
