/**
 * Somebody who reaches the port between nodes and knows a journey, but has not the secret: nothing that they send is done.
 * They speak the very protocol of the nodes, as a client of the cluster would. What crosses the wire cannot be read.
 */
import { Effect, Exit, Layer, Scope } from "effect"
import {
  MessageStorage,
  Runner,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerStorage,
  Sharding,
  ShardingConfig,
  Snowflake
} from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { askOnTheWire, JourneyEntity } from "../../../src/actors/journey/actor/JourneyEntity.ts"
import { shardLimits } from "../../../src/runtime/cluster/coordination/limits.ts"
import { clusterLimits } from "../../../src/runtime/cluster/limits.ts"
import type { JourneyMessage } from "../../../src/schema/journey/messages.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { eventually } from "../../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../../support/fakePanel.ts"
import { freePort } from "../../support/freePort.ts"
import { clusterEnvironment } from "../../support/nodes.ts"
import { eventTypes, makeProvidedCompany, settled, startLive, traceOf } from "../../support/providerRequests.ts"
import type { TestCompany } from "../../support/companies.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { startService, type Service } from "../../support/service.ts"

/** The cluster as a client without a secret would join it, with one runner at this port. */
const attackerOf = (port: number) => {
  const protocol = Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (serialization) => ({
      codecFor: serialization.codecFor,
      make: () =>
        Effect.gen(function* () {
          const socket = yield* NodeSocket.makeNet({ host: "127.0.0.1", port })
          return yield* Effect.provideService(RpcClient.makeProtocolSocket(), Socket.Socket, socket)
        }).pipe(Effect.provideService(RpcSerialization.RpcSerialization, serialization))
    }))
  )
  const storage = Layer.effect(
    RunnerStorage.RunnerStorage,
    RunnerStorage.makeMemory.pipe(
      Effect.tap((memory) =>
        memory.register(
          Runner.make({ address: RunnerAddress.make("127.0.0.1", port), groups: ["default"], weight: 1 }),
          true
        )
      )
    )
  )
  return Sharding.layer.pipe(
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provide(Runners.layerRpc),
    Layer.provide([protocol, Snowflake.layerGenerator]),
    Layer.provide([MessageStorage.layerNoop, storage]),
    Layer.provide(RpcSerialization.layerSchemaBinary({ maxFrameSize: clusterLimits.largestMessageBytes })),
    Layer.provide(ShardingConfig.layer({ shardsPerGroup: shardLimits.shards }))
  )
}

describeWithRedis("somebody who reaches the port between nodes", () => {
  let redis: RedisServer
  let panel: FakePanel
  let provider: FakeIdentityProvider
  let runner: Service
  let company: TestCompany
  let port: number

  beforeAll(async () => {
    redis = await startRedis()
    panel = await startFakePanel()
    provider = await startFakeIdentityProvider()
    port = await freePort()
    runner = await startService({
      ...(await clusterEnvironment(redis)),
      RUNNER_ADDRESS: `127.0.0.1:${port}`,
      WEBHOOK_ALLOW_INSECURE: "true",
      BASE_URL: "https://journeys.example"
    })
    company = await makeProvidedCompany(runner, panel, provider)
  })
  afterAll(async () => {
    await runner.stop()
    await provider.stop()
    await panel.stop()
    await redis.stop()
  })

  it("cannot move on a live journey whose id they know", async () => {
    const id = await startLive(runner, company, "CASH_SALE")
    await eventually(
      () => eventTypes(runner, id),
      (types) => types.includes("identity.requested")
    )
    await settled(runner, id)
    const before = await traceOf(runner, id)
    const scope = Scope.makeUnsafe()
    const clientOf = await Effect.runPromise(
      Effect.flatMap(Layer.buildWithScope(attackerOf(port), scope), (context) =>
        Effect.provide(JourneyEntity.client, context)
      )
    )
    const journey = clientOf(JourneyId.make(id))
    const forge = (message: JourneyMessage) => {
      const forged = {
        messageId: randomUUID(),
        sender: "operator",
        scope: null,
        message,
        sealedNote: null,
        sealedPhoto: null
      }
      return Effect.runPromiseExit(Effect.timeout(journey[askOnTheWire](forged), "2 seconds"))
    }
    const answers = await Promise.all(
      (["IdentityVerified", "VideoUploaded", "VideoMatched"] as const).map((_tag) => forge({ _tag }))
    )
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(answers.filter(Exit.isSuccess)).toEqual([])
    expect(await traceOf(runner, id)).toEqual(before)
  })
})
