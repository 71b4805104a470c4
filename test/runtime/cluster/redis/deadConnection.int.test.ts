import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { expect, it } from "vitest"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import { scriptOn } from "../../../../src/runtime/cluster/redis/script.ts"
import { eventually } from "../../../support/eventually.ts"
import { startProxy } from "../../../support/proxy.ts"
import { describeWithRedis, startRedis } from "../../../support/redisServer.ts"

describeWithRedis("a connection to Redis whose other end vanished without a word", () => {
  it.each(["patient", "prompt"] as const)("is given up and made anew: the %s one", async (kind) => {
    const redis = await startRedis()
    const proxy = await startProxy(redis.url)
    const scope = Scope.makeUnsafe()
    const layer = Redis.layerOf(Redacted.make(proxy.url))
    const clients = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), Redis.Redis)
    const ask = scriptOn(clients[kind], "return 7", [])
    const answer = () => ask([]).catch((error: Error) => error.message)
    await eventually(answer, (heard) => heard === 7)
    proxy.freeze()
    expect(await answer()).toBe("Command timed out")
    proxy.healForNewcomers()
    await eventually(answer, (heard) => heard === 7, 30_000)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await proxy.close()
    await redis.stop()
  })
})
