/**
 * What an actor keeps in memory: a journey as its row is, so that nothing is tried in vain, and no journey that may be out of
 * date.
 */
import { Effect, Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import type { JourneyStore } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { CommitUnknown, StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, startedAt } from "../rules/startedJourneys.ts"

type Commit = JourneyStore["Service"]["commit"]

let databaseUrl: string
let other: Actors
let node: Actors
/** What the node hands in to the database. */
let commits: number
let writing: (commit: Commit) => Commit

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  other = await startActors(databaseUrl)
  node = await startActors(databaseUrl, (store) => ({
    ...store,
    commit: (commit) =>
      Effect.suspend(() => {
        commits += 1
        return writing(store.commit)(commit)
      })
  }))
})
afterAll(() => Promise.all([node.stop(), other.stop()]))
beforeEach(() => {
  commits = 0
  writing = (commit) => commit
})

const begin = async (shape: "FINANCE_SALE" | "IDENTITY_DELIVERY"): Promise<JourneyId> => {
  const facts = factsOf(shape, { id: JourneyId.make(nextId()), customerReference: nextId() })
  await node.begin(facts, startedAt)
  return facts.id
}

it("an actor that is alone writes each message at the first try, and a repeated message not again", async () => {
  const id = await begin("FINANCE_SALE")
  const replaceFace = (messageId: string) => node.run(node.ask(id, { _tag: "ReplaceFace" }, { messageId }))
  const [first, second] = [randomUUID(), randomUUID()]
  expect(await replaceFace(first)).toMatchObject({ _tag: "Done" })
  expect(await replaceFace(second)).toMatchObject({ _tag: "Done" })
  expect(commits).toBe(2)
  expect(await replaceFace(second)).toMatchObject({ _tag: "Done", isReplay: true })
  expect(commits).toBe(2)
})

it("an actor that cannot know whether its commit was written decides the next message on the row, at the first try", async () => {
  const id = await begin("FINANCE_SALE")
  writing = (commit) => (one) =>
    commits > 1
      ? Effect.fail(new StoreUnavailable({ cause: "away" }))
      : Effect.andThen(commit(one), Effect.fail(new CommitUnknown({ cause: "cut" })))
  const answer = await node.run(Effect.result(node.ask(id, { _tag: "ReplaceFace" })))
  expect(Result.isFailure(answer) && answer.failure._tag).toBe("OutcomeUnknown")
  commits = 0
  writing = (commit) => commit
  expect(await node.run(node.ask(id, { _tag: "Cancel" }))).toMatchObject({ _tag: "Done" })
  expect(commits).toBe(1)
})

it("an actor that is woken handles what is due by the row, and not by its memory", async () => {
  const id = await begin("IDENTITY_DELIVERY")
  // Nothing is due yet: the node has the journey in memory from here on.
  await node.run(node.wake(id, startedAt))
  await other.run(other.ask(id, { _tag: "IdentityVerified" }, { at: startedAt }))
  await node.run(node.wake(id, startedAt))
  const [last] = await node.query<{ readonly tag: string }>(
    "select message ->> '_tag' as tag from journal where journey_id = $1 order by version desc limit 1",
    [id]
  )
  expect(last).toEqual({ tag: "HandoverCreated" })
})
