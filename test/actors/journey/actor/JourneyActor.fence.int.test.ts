/**
 * Two actors of one journey are alive at once, as when a node loses its lock without noticing. The version in the row decides:
 * the slower actor loads the row and decides again, and no answer comes from a journey in memory that is out of date.
 */
import { Deferred, Effect, Result } from "effect"
import * as fc from "fast-check"
import { randomInt, randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { Answer } from "../../../../src/actors/journey/actor/JourneyEntity.ts"
import { JourneyStore } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { journeyActorLimits } from "../../../../src/actors/journey/actor/limits.ts"
import { CommitUnknown, StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { storedLives, wrongsOf } from "../../../support/consistency.ts"
import { freshDatabase } from "../../../support/service.ts"
import { expectedAnswer } from "../rules/expectedAnswer.ts"
import { endingEvents, sent } from "../rules/history.ts"
import { play, type History } from "../rules/histories.ts"
import { sequences } from "../rules/sequences.ts"
import { factsOf, startedAt } from "../rules/startedJourneys.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

const lives = 100
const races = 200
const atOnce = 32

let databaseUrl: string
let nodes: readonly [Actors, Actors]

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  nodes = [await startActors(databaseUrl), await startActors(databaseUrl)]
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

const freshFacts = (facts: StartFacts): StartFacts => ({
  ...facts,
  id: JourneyId.make(nextId()),
  customerReference: nextId()
})
const eitherNode = () => nodes[randomInt(2) === 0 ? 0 : 1]
const both = <A, E>(effect: (node: Actors) => Effect.Effect<A, E>) =>
  nodes[0].run(Effect.all(nodes.map(effect), { concurrency: "unbounded" }))

const wrongsOfAll = async (ids: ReadonlyArray<string>) =>
  (await storedLives(nodes[0].query, ids)).flatMap((life) => wrongsOf(life))

/** A finance sale whose handover waits for its video; both nodes hold it in memory. */
const awaitingVideo = async (...further: ReadonlyArray<JourneyMessage>): Promise<string> => {
  const facts = freshFacts(factsOf("FINANCE_SALE"))
  await nodes[0].begin(facts, startedAt)
  for (const message of further) await nodes[0].run(nodes[0].ask(facts.id, message))
  await both((node) => node.ask(facts.id, { _tag: "PanelFailed", reason: "PANEL_ERROR" }))
  return facts.id
}

/** Whoever finds a message in the row after losing a race cannot tell whether the commit was its own: it does not say that it was repeated. */
const apartFromReplay = (answer: Answer): Answer => (answer._tag === "Done" ? { ...answer, isReplay: true } : answer)

const told = (history: History) =>
  Effect.forEach(sent(history.entries), (entry) => {
    const { at, message, messageId } = entry.letter
    return Effect.map(eitherNode().ask(history.sequence.facts.id, message, { at, messageId }), (answer) =>
      isDeepStrictEqual(apartFromReplay(answer), apartFromReplay(expectedAnswer(entry)))
        ? []
        : [{ letter: entry.letter, answer, expected: expectedAnswer(entry) }]
    )
  })

it("messages that reach now one actor and now the other are answered as by one actor", async () => {
  const seed = randomInt(2 ** 31)
  const histories = fc
    .sample(sequences({ clock: "steps back" }), { numRuns: lives, seed })
    .map((life) => play({ ...life, facts: freshFacts(life.facts) }))
  await Promise.all(histories.map(({ sequence }) => nodes[0].begin(sequence.facts, sequence.startedAt)))
  const wrongs = await nodes[0].run(Effect.forEach(histories, told, { concurrency: atOnce }))
  expect({ seed, wrongs: wrongs.flat(2).slice(0, 3) }).toEqual({ seed, wrongs: [] })
  const stored = await storedLives(
    nodes[0].query,
    histories.map(({ sequence }) => sequence.facts.id)
  )
  const factsById = new Map(histories.map(({ sequence }) => [sequence.facts.id, sequence.facts]))
  expect(stored.flatMap((life) => wrongsOf(life, factsById.get(JourneyId.make(life.id))))).toEqual([])
})

it("a message sent to both actors at once is handled once and answered twice", async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => awaitingVideo()))
  for (const id of ids) {
    const messageId = randomUUID()
    const answers = await both((node) => node.ask(id, { _tag: "VideoUploaded" }, { messageId }))
    expect(answers.map((answer) => answer._tag)).toEqual(["Done", "Done"])
    expect(answers[0]).toEqual(answers[1])
  }
  const lines = await nodes[0].query<{ readonly lines: number }>(
    "select count(*)::int as lines from journal where journey_id = any($1::uuid[]) and message->>'_tag' = 'VideoUploaded'",
    [`{${ids.join()}}`]
  )
  expect(lines).toEqual([{ lines: ids.length }])
  expect(await wrongsOfAll(ids)).toEqual([])
})

it("a message whose id another actor has just used for another message is not answered as done", async () => {
  const id = await awaitingVideo()
  const messageId = randomUUID()
  const slower = await startActors(databaseUrl, (store) => ({
    ...store,
    commit: (commit) =>
      Effect.andThen(Effect.orDie(nodes[0].ask(id, { _tag: "VideoUploaded" }, { messageId })), store.commit(commit))
  }))
  expect(await slower.run(slower.ask(id, { _tag: "Cancel" }, { messageId }))).toEqual({ _tag: "IdReused" })
  await slower.stop()
  expect(await wrongsOfAll([id])).toEqual([])
})

it("of many messages to both actors at once each is handled once or refused, and none is lost", async () => {
  const id = await awaitingVideo()
  const round: ReadonlyArray<JourneyMessage> = [
    { _tag: "VideoUploaded" },
    { _tag: "VideoUnclear" },
    { _tag: "TeamRejectsVideo" },
    { _tag: "ReplaceFace" }
  ]
  const sequence = Array.from({ length: 30 }, () => round)
    .flat()
    .map((message) => ({ message, messageId: randomUUID() }))
  const answers = await nodes[0].run(
    Effect.forEach(sequence, ({ message, messageId }) => Effect.result(eitherNode().ask(id, message, { messageId })), {
      concurrency: 8
    })
  )
  const journal = await nodes[0].query<{ readonly message_id: string }>(
    "select message_id from journal where journey_id = $1",
    [id]
  )
  const handled = new Set(journal.map((line) => line.message_id))
  const done = sequence.filter((_, at) => {
    const answer = answers[at]
    return answer !== undefined && Result.isSuccess(answer) && answer.success._tag === "Done"
  })
  expect(done.length).toBeGreaterThan(10)
  expect(done.filter(({ messageId }) => !handled.has(messageId))).toEqual([])
  expect(handled.size).toBe(done.length + 1)
  expect(await wrongsOfAll([id])).toEqual([])
})

it("a journey is ended once: the first message ends it, and the others hear that it has ended", async () => {
  const meetings: ReadonlyArray<{
    readonly reached: ReadonlyArray<JourneyMessage>
    readonly rivals: ReadonlyArray<JourneyMessage>
  }> = [
    {
      reached: [{ _tag: "VideoUploaded" }],
      rivals: [{ _tag: "Cancel" }, { _tag: "VideoMatched" }, { _tag: "SafetyCapPassed" }]
    },
    { reached: [], rivals: [{ _tag: "Cancel" }, { _tag: "CustomerWindowPassed" }, { _tag: "TeamCancelsHandover" }] }
  ]
  const winners = new Set<string>()
  const ids: Array<string> = []
  const race = async (at: number) => {
    const { reached, rivals } = meetings[at % meetings.length] ?? { reached: [], rivals: [] }
    const id = await awaitingVideo(...reached)
    ids.push(id)
    const from = at % rivals.length
    const inTurn = [...rivals.slice(from), ...rivals.slice(0, from)]
    const answers = await nodes[0].run(
      Effect.forEach(inTurn, (message, place) => (nodes[place % 2] ?? nodes[0]).ask(id, message), {
        concurrency: "unbounded"
      })
    )
    const won = inTurn.filter((_, place) => answers[place]?._tag === "Done")
    expect(won.length).toBe(1)
    winners.add(won[0]?._tag ?? "")
    const lost = inTurn.flatMap((message, place) =>
      answers[place]?._tag === "Done" ? [] : [[message._tag, answers[place]]]
    )
    expect(lost.map(([tag, answer]) => [tag, answer])).toEqual(
      lost.map(([tag]) => [
        tag,
        tag === "Cancel"
          ? expect.objectContaining({ _tag: "Refused", code: "JOURNEY_FINISHED" })
          : expect.objectContaining({ _tag: "Ignored" })
      ])
    )
  }
  for (let at = 0; at < races; at += 10) await Promise.all(Array.from({ length: 10 }, (_, more) => race(at + more)))
  const endings = await nodes[0].query<{ readonly n: number }>(
    "select count(*)::int as n from events where journey_id = any($1::uuid[]) and type = any($2::text[]) group by journey_id",
    [`{${ids.join()}}`, `{${endingEvents.join()}}`]
  )
  expect(endings).toEqual(ids.map(() => ({ n: 1 })))
  expect(await wrongsOfAll(ids)).toEqual([])
  expect(winners.size).toBeGreaterThan(2)
})

it("an actor that others keep outrunning decides so often, and then answers that nothing was written", async () => {
  let commits = 0
  const node = await startActors(databaseUrl, (store) => ({
    ...store,
    commit: () =>
      Effect.sync(() => {
        commits += 1
        return "Conflict"
      })
  }))
  const id = await awaitingVideo()
  const answer = await node.run(Effect.result(node.ask(id, { _tag: "VideoUploaded" })))
  expect(Result.isFailure(answer) && answer.failure._tag).toBe("StoreUnavailable")
  expect(commits).toBe(journeyActorLimits.mostDecisions)
  await node.stop()
})

it("an actor whose commit was written, whose answer was lost and who cannot read the row, does not say that nothing was written", async () => {
  let isAway = false
  const node = await startActors(databaseUrl, (store) =>
    JourneyStore.of({
      ...store,
      commit: (commit) =>
        Effect.flatMap(store.commit(commit), (written) => {
          if (written === "Conflict") {
            isAway = true
            return Effect.succeed(written)
          }
          return Effect.fail(new CommitUnknown({ cause: "cut" }))
        }),
      load: (id) => (isAway ? Effect.fail(new StoreUnavailable({ cause: "away" })) : store.load(id))
    })
  )
  const id = await awaitingVideo()
  const answer = await node.run(Effect.result(node.ask(id, { _tag: "VideoUploaded" })))
  expect(isAway).toBe(true)
  expect(Result.isFailure(answer) && answer.failure._tag).toBe("OutcomeUnknown")
  await node.stop()
})

it("an actor that is still at a message when its sender's time is over does not let the sender say that nothing was written", async () => {
  const written = Deferred.makeUnsafe<void>()
  const node = await startActors(databaseUrl, (store) => ({
    ...store,
    commit: (commit) => Effect.andThen(Deferred.await(written), store.commit(commit))
  }))
  const id = await awaitingVideo()
  const messageId = randomUUID()
  const answer = await node.run(Effect.result(node.ask(id, { _tag: "VideoUploaded" }, { messageId })))
  expect(Result.isFailure(answer) && answer.failure._tag).toBe("OutcomeUnknown")
  Deferred.doneUnsafe(written, Effect.void)
  await node.stop()
  expect(await nodes[0].query("select 1 from journal where message_id = $1", [messageId])).toHaveLength(1)
})
