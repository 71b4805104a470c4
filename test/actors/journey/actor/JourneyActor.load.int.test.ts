/** A flood at one journey is refused and harms no other (FAULT-23), and idle journeys leave memory (INV-23). */
import { Deferred, Duration, Effect, Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { journeyActorLimits } from "../../../../src/actors/journey/actor/limits.ts"
import { StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { storedLives, wrongsOf } from "../../../support/consistency.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, startedAt } from "../rules/startedJourneys.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

// The cluster looks for idle journeys every five seconds at most: no need to wait for two of them.
vi.mock(import("../../../../src/actors/journey/actor/limits.ts"), async (original) => {
  const limits = await original()
  return {
    ...limits,
    journeyActorLimits: { ...limits.journeyActorLimits, idleTime: Duration.seconds(1) }
  }
})

const { mailboxCapacity } = journeyActorLimits

const flood = 2000

let databaseUrl: string
let actors: Actors
beforeAll(async () => {
  databaseUrl = await freshDatabase()
  actors = await startActors(databaseUrl)
})
afterAll(() => actors.stop())

const begun = async () => {
  const facts = { ...factsOf("FINANCE_SALE"), id: JourneyId.make(nextId()), customerReference: nextId() }
  await actors.begin(facts, startedAt)
  return facts.id
}

it("messages beyond the mailbox of one journey are answered 'later', and other journeys go on", async () => {
  const flooded = await begun()
  const others = await Promise.all(Array.from({ length: 20 }, begun))
  const messages = Array.from({ length: flood }, () => Effect.result(actors.ask(flooded, { _tag: "ReplaceFace" })))
  const [answers, calm] = await actors.run(
    Effect.all(
      [
        Effect.all(messages, { concurrency: "unbounded" }),
        Effect.forEach(others, (id) => actors.ask(id, { _tag: "VideoUploaded" }), { concurrency: "unbounded" })
      ],
      { concurrency: "unbounded" }
    )
  )
  expect(calm.map(({ _tag }) => _tag)).toEqual(others.map(() => "Done"))
  const done = answers.filter(Result.isSuccess)
  const later = answers.filter(Result.isFailure)
  expect(done.length).toBeGreaterThanOrEqual(mailboxCapacity)
  expect(later.length).toBeGreaterThan(0)
  expect(new Set(later.map(({ failure }) => failure._tag))).toEqual(new Set(["StoreUnavailable"]))
  // What was turned away was not handled, what was answered was.
  const [life] = await storedLives(actors.query, [flooded])
  expect(life?.version).toBe(done.length + 1)
  expect(life && wrongsOf(life)).toEqual([])
  expect(await actors.run(actors.ask(flooded, { _tag: "VideoUploaded" }))).toMatchObject({ _tag: "Done" })
})

it("a message that finds the mailbox full when it is sent again has an unknown outcome: it arrived before", async () => {
  const id = await begun()
  const messageId = randomUUID()
  const open = Deferred.makeUnsafe<void>()
  let loads = 0
  const waiting: Array<Promise<unknown>> = []
  const node: Actors = await startActors(databaseUrl, (store) => ({
    ...store,
    // The second load is of the message that is handled next: it has left one place free.
    load: (journeyId) =>
      Effect.suspend(() => {
        loads += 1
        if (loads === 2) fill(1)
        return store.load(journeyId)
      }),
    commit: (commit) =>
      commit.messageId === messageId
        ? Effect.andThen(
            Effect.sync(() => fill(mailboxCapacity)),
            Effect.interrupt
          )
        : Effect.andThen(Deferred.await(open), store.commit(commit))
  }))
  const fill = (count: number) => {
    for (let at = 0; at < count; at++) waiting.push(node.run(Effect.result(node.ask(id, { _tag: "ReplaceFace" }))))
  }
  const answer = await node.run(Effect.result(node.ask(id, { _tag: "ReplaceFace" }, { messageId })))
  expect(Result.isFailure(answer) && answer.failure._tag).toBe("OutcomeUnknown")
  expect(waiting).toHaveLength(mailboxCapacity + 1)
  Deferred.doneUnsafe(open, Effect.void)
  await Promise.all(waiting)
  await node.stop()
})

it("a message that was cut off at its commit has an unknown outcome, although its journey cannot be read when it is sent again", async () => {
  const id = await begun()
  let isAway = false
  const node: Actors = await startActors(databaseUrl, (store) => ({
    ...store,
    load: (journeyId) => (isAway ? Effect.fail(new StoreUnavailable({ cause: "away" })) : store.load(journeyId)),
    commit: () =>
      Effect.andThen(
        Effect.sync(() => (isAway = true)),
        Effect.interrupt
      )
  }))
  const answer = await node.run(Effect.result(node.ask(id, { _tag: "ReplaceFace" })))
  expect(Result.isFailure(answer) && answer.failure._tag).toBe("OutcomeUnknown")
  await node.stop()
})

it("a journey without messages leaves memory, and is unchanged when the next message comes", async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, begun))
  await actors.run(Effect.forEach(ids, (id) => actors.ask(id, { _tag: "VideoUploaded" }), { concurrency: 10 }))
  expect(await actors.residents()).toBeGreaterThanOrEqual(ids.length)
  await eventually(actors.residents, (count) => count === 0, 20_000)
  const answers = await actors.run(
    Effect.forEach(ids, (id) => actors.ask(id, { _tag: "VideoMatched" }), { concurrency: 10 })
  )
  expect(answers.map((answer) => answer._tag === "Done" && answer.journey.status)).toEqual(ids.map(() => "COMPLETED"))
})
