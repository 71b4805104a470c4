/**
 * What becomes of a message to an actor on another node: a client and a runner are joined by Redis and TCP, and the journeys
 * answer as each test wants. A sender hears "nothing was changed" only when that is certain.
 */
import { Context, Deferred, Effect, Exit, Layer, Redacted, References, Scope } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import {
  JourneyUnavailable,
  type Answer,
  type JourneyRequest
} from "../../../src/actors/journey/actor/JourneyEntity.ts"
import * as JourneyMailbox from "../../../src/actors/journey/actor/JourneyMailbox.ts"
import * as JourneyResidents from "../../../src/actors/journey/actor/JourneyResidents.ts"
import { journeyResource } from "../../../src/actors/journey/rules/projection.ts"
import { journeyActorLimits } from "../../../src/actors/journey/actor/limits.ts"
import { OutcomeUnknown } from "../../../src/actors/kernel/StoreError.ts"
import * as manyNodes from "../../../src/runtime/cluster/manyNodes.ts"
import { nodeProof } from "../../../src/runtime/cluster/nodeProof.ts"
import * as Redis from "../../../src/runtime/cluster/redis/Redis.ts"
import { factsOf, started } from "../../actors/journey/rules/startedJourneys.ts"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/freePort.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { CompanyId, JourneyId } from "../../../src/schema/ids.ts"

const proof = nodeProof("the-secret-of-these-nodes-0123456789")

const photoBytes = 5 * 1024 * 1024

const requestOf = (messageId: string, sealedPhoto: string | null = null): JourneyRequest => ({
  messageId,
  sender: "test",
  scope: null,
  message: { _tag: "LocationConfirmed" },
  sealedNote: null,
  sealedPhoto
})
const heard: Answer = { _tag: "Ignored", reason: "heard" }

const end = (scope: Scope.Closeable) => Effect.runPromise(Scope.close(scope, Exit.void))

const failureOf = (exit: Exit.Exit<Answer, { readonly _tag: string }>) =>
  Exit.isFailure(exit)
    ? exit.cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error._tag : reason._tag))
    : []

type Handle = (request: JourneyRequest) => Effect.Effect<Answer, JourneyUnavailable | OutcomeUnknown>

/** One message is being handled, the others wait. */
const mostOfOneJourney = 1 + journeyActorLimits.mailboxCapacity

describeWithRedis("a message to a journey on another node", () => {
  let redis: RedisServer
  let scopes: Array<Scope.Closeable>
  let handle: Handle
  let taken: Array<string>
  let woken: number

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  beforeEach(async () => {
    await redis.command("flushall")
    scopes = []
    taken = []
    woken = 0
    handle = () => Effect.succeed(heard)
  })
  afterEach(async () => {
    for (const scope of scopes.toReversed()) await end(scope)
  })

  const build = async <A, E>(layer: Layer.Layer<A, E>) => {
    const scope = Scope.makeUnsafe()
    scopes.push(scope)
    return Effect.runPromise(Layer.buildWithScope(layer, scope))
  }
  const connections = () => Redis.layerOf(Redacted.make(redis.url))
  const startClientNode = async () => {
    const context = await build(
      JourneyMailbox.layer.pipe(Layer.provide(manyNodes.layerOf(undefined, proof)), Layer.provide(connections()))
    )
    return Context.get(context, JourneyMailbox.JourneyMailbox)
  }
  const startClient = async () => {
    const mailbox = await startClientNode()
    return (message: JourneyRequest, journeyId = "journey") =>
      Effect.runPromiseExit(mailbox.ask(JourneyId.make(journeyId), message))
  }
  const startRunner = async (): Promise<void> => {
    const journeys = Layer.effectDiscard(
      Effect.flatMap(JourneyResidents.JourneyResidents, (residents) =>
        residents.run(() => ({
          ask: (request) =>
            Effect.suspend(() => {
              taken.push(request.messageId)
              return handle(request)
            }),
          wake: Effect.sync(() => {
            woken += 1
          })
        }))
      )
    )
    const address = { host: "127.0.0.1", port: await freePort() }
    await build(
      journeys.pipe(
        Layer.provide(JourneyResidents.layer),
        Layer.provideMerge(manyNodes.layerOf(address, proof)),
        Layer.provide(connections())
      )
    )
  }

  it("is answered, and may carry a photo of the largest size", async () => {
    await startRunner()
    const ask = await startClient()
    const photo = Buffer.alloc(photoBytes, 1).toString("base64")
    handle = ({ sealedPhoto }) => Effect.succeed({ _tag: "Ignored", reason: `${sealedPhoto?.length}` })
    expect(await ask(requestOf("with-photo", photo))).toEqual(
      Exit.succeed({ _tag: "Ignored", reason: String(photo.length) })
    )
  })

  it("arrives with every optional part of it, and its answer with every part of a journey", async () => {
    await startRunner()
    const ask = await startClient()
    const arrived: Array<JourneyRequest> = []
    const whole: JourneyRequest = {
      messageId: "whole",
      sender: "identity",
      scope: { companyId: CompanyId.make("company"), livemode: true },
      message: { _tag: "IdentityVerified", check: 2, reviewed: 7, fingerprint: "fingerprint" },
      sealedNote: Buffer.from("a note").toString("base64"),
      sealedPhoto: Buffer.from("a photo").toString("base64")
    }
    const journey = journeyResource(started(factsOf("FINANCE_ALREADY_SUBMITTED")).journey)
    handle = (request) =>
      Effect.sync(() => {
        arrived.push(request)
        return { _tag: "Done", journey }
      })
    expect(await ask(whole)).toEqual(Exit.succeed({ _tag: "Done", journey }))
    expect(arrived).toEqual([whole])
  })

  it("changed nothing for certain when there is no runner", async () => {
    const ask = await startClient()
    expect(failureOf(await ask(requestOf("nobody")))).toEqual(["StoreUnavailable"])
  })

  it("changed nothing for certain when its journey says so", async () => {
    await startRunner()
    const ask = await startClient()
    handle = () => Effect.fail(new JourneyUnavailable())
    expect(failureOf(await ask(requestOf("unavailable")))).toEqual(["StoreUnavailable"])
  })

  it("has an unknown outcome when its journey says so", async () => {
    await startRunner()
    const ask = await startClient()
    handle = () => Effect.fail(new OutcomeUnknown())
    expect(failureOf(await ask(requestOf("unknown")))).toEqual(["OutcomeUnknown"])
    expect(taken).toEqual(["unknown"])
  })

  it("has an unknown outcome when its journey took it and does not answer in time", async () => {
    await startRunner()
    const ask = await startClient()
    handle = () => Effect.never
    expect(failureOf(await ask(requestOf("silent")))).toEqual(["OutcomeUnknown"])
    expect(taken).toEqual(["silent"])
  })

  it("is handled no further when its sender has given up", async () => {
    await startRunner()
    const ask = await startClient()
    const given = Deferred.makeUnsafe<void>()
    handle = () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(given, undefined))
    expect(failureOf(await ask(requestOf("silent")))).toEqual(["OutcomeUnknown"])
    await Effect.runPromise(Deferred.await(given))
    handle = () => Effect.succeed(heard)
    expect(await ask(requestOf("next"))).toEqual(Exit.succeed(heard))
    expect(taken).toEqual(["silent", "next"])
  })

  it("changed nothing for certain when the mailbox was full", async () => {
    await startRunner()
    const ask = await startClient()
    const open = Deferred.makeUnsafe<void>()
    handle = () => Effect.as(Deferred.await(open), heard)
    const beyond = 10
    const settled: Array<ReadonlyArray<string>> = []
    const all = Array.from({ length: mostOfOneJourney + beyond }, async (_, at) => {
      settled.push(failureOf(await ask(requestOf(`one-of-many-${at}`))))
    })
    const refused = await eventually(
      () => [...settled],
      ({ length }) => length >= beyond
    )
    expect(refused).toEqual(Array.from({ length: beyond }, () => ["StoreUnavailable"]))
    await Effect.runPromise(Deferred.succeed(open, undefined))
    await Promise.all(all)
    expect(settled.slice(beyond)).toEqual(Array.from({ length: mostOfOneJourney }, () => []))
  })

  it("is sent again under its own id when the actor stopped in the middle", async () => {
    await startRunner()
    const ask = await startClient()
    handle = () => (taken.length === 1 ? Effect.interrupt : Effect.succeed(heard))
    expect(await ask(requestOf("interrupted"))).toEqual(Exit.succeed(heard))
    expect(taken).toEqual(["interrupted", "interrupted"])
  })

  it("waits until the journey has handled the one before", async () => {
    await startRunner()
    const ask = await startClient()
    const [begun, open] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    handle = ({ messageId }) =>
      messageId === "first"
        ? Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(open)), Effect.as(heard))
        : Effect.succeed({ _tag: "Ignored", reason: Deferred.isDoneUnsafe(open) ? "after" : "between" })
    const first = ask(requestOf("first"))
    await Effect.runPromise(Deferred.await(begun))
    const second = ask(requestOf("second"))
    // A message to another journey comes on the same connection, so the second one has arrived before its answer.
    await ask(requestOf("other"), "another-journey")
    await Effect.runPromise(Deferred.succeed(open, undefined))
    expect(await first).toEqual(Exit.succeed(heard))
    expect(await second).toEqual(Exit.succeed({ _tag: "Ignored", reason: "after" }))
  })

  it("is handled with the log level of the journeys, and not with that of the cluster", async () => {
    await startRunner()
    const ask = await startClient()
    handle = () => Effect.map(References.MinimumLogLevel, (level) => ({ _tag: "Ignored", reason: level }))
    const level = await Effect.runPromise(Effect.map(References.MinimumLogLevel, (here) => here))
    expect(await ask(requestOf("logged"))).toEqual(Exit.succeed({ _tag: "Ignored", reason: level }))
  })

  it("is woken by a message of another node, too", async () => {
    await startRunner()
    const mailbox = await startClientNode()
    expect(await Effect.runPromise(mailbox.wake(JourneyId.make("journey")))).toBeUndefined()
    expect(woken).toBe(1)
  })

  it("has an unknown outcome when it is sent again and the journey can say nothing about the first time", async () => {
    await startRunner()
    const ask = await startClient()
    handle = () => (taken.length === 1 ? Effect.interrupt : Effect.fail(new JourneyUnavailable()))
    expect(failureOf(await ask(requestOf("in-doubt")))).toEqual(["OutcomeUnknown"])
    expect(taken).toEqual(["in-doubt", "in-doubt"])
  })
})
