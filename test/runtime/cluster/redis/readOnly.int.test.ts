/** A Redis that has become a replica: a connection to it is made anew, because its address may lead to the new primary by now. */
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { expect, it } from "vitest"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import { scriptOn } from "../../../../src/runtime/cluster/redis/script.ts"
import { eventually } from "../../../support/eventually.ts"
import { describeWithRedis, startRedis } from "../../../support/redisServer.ts"

describeWithRedis("a connection to a Redis that takes no writes any more", () => {
  it.each(["patient", "prompt"] as const)("is made anew: the %s one", async (kind) => {
    const redis = await startRedis()
    const scope = Scope.makeUnsafe()
    const layer = Redis.layerOf(Redacted.make(redis.url))
    const client = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), Redis.Redis)[kind]
    const write = scriptOn(client, "return redis.call('SET', KEYS[1], 7)", ["{journeys}:written"])
    const answer = () => write([]).catch((error: Error) => error.message)
    await eventually(answer, (heard) => heard === "OK")
    const before = await client.client("ID")
    await redis.command("replicaof", "127.0.0.1", 1)
    expect(await answer()).toContain("READONLY")
    const after = await eventually(
      () => client.client("ID").catch(() => before),
      (id) => id !== before
    )
    expect(after).toBeGreaterThan(before)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await redis.stop()
  })
})

it.each([
  ["READONLY You can't write against a read only replica.", true],
  ["READONLY You can't write against a read only replica. script: f1c3, on @user_script:3.", true],
  // As Redis 6.2 says it of a script.
  [
    "ERR Error running script (call to f_f1c3): @user_script:3: @user_script: 3: -READONLY You can't write against a read only replica. ",
    true
  ],
  ["LOADING Redis is loading the dataset in memory", false],
  ["NOSCRIPT No matching script. Please use EVAL.", false]
])("takes %j for the word of a replica: %s", (message, is) => {
  expect(Redis.isOfReplica(new Error(message))).toBe(is)
})
