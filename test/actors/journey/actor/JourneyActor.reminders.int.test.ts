/** Reminders on the real actor and a real database: each mail is written once, whoever wakes the journey and how often. */
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { storedLives, wrongsOf } from "../../../support/consistency.ts"
import { freshDatabase } from "../../../support/service.ts"
import { day, factsOf, startedAt } from "../rules/startedJourneys.ts"

const hour = day / 24

let databaseUrl: string
let nodes: readonly [Actors, Actors]
beforeAll(async () => {
  databaseUrl = await freshDatabase()
  nodes = [await startActors(databaseUrl), await startActors(databaseUrl)]
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

/** A journey whose customer has not verified, with a clock that the test moves. */
const asked = async (): Promise<JourneyId> => {
  const facts = factsOf("IDENTITY_DELIVERY", { id: JourneyId.make(nextId()), customerReference: nextId() })
  await nodes[0].begin(facts, startedAt)
  return facts.id
}

const wakeBoth = (id: JourneyId, hours: number) =>
  nodes[0].run(
    Effect.all(
      nodes.map((node) => node.wake(id, startedAt + hours * hour)),
      { concurrency: "unbounded" }
    )
  )

/** Hours from the start, and which reminder. */
const remindersOf = async (id: JourneyId) => {
  const rows = await nodes[0].query<{ readonly created_at: Date; readonly kind: string; readonly reminder: string }>(
    `select created_at, kind, facts ->> 'reminder' as reminder from mails
     where journey_id = $1 and facts ->> 'reminder' is not null order by created_at`,
    [id]
  )
  return rows.map((row) => [(row.created_at.getTime() - startedAt) / hour, row.kind, row.reminder])
}

it("writes one mail for each reminder, when it is due, also when two nodes wake the journey at once", async () => {
  const id = await asked()
  for (const hours of [23, 24, 25, 72, 71 * 3, 23 * 24, 24 * 24]) await wakeBoth(id, hours)
  expect(await remindersOf(id)).toEqual([
    [24, "VERIFY_IDENTITY", "FIRST"],
    [72, "VERIFY_IDENTITY", "SECOND"],
    [23 * 24, "VERIFY_IDENTITY", "LAST"]
  ])
  const untils = await nodes[0].query<{ readonly until: number }>(
    "select distinct (facts ->> 'until')::float8 as until from mails where journey_id = $1 and facts ->> 'reminder' is not null",
    [id]
  )
  expect(untils).toEqual([{ until: startedAt + 30 * day }])
  const senders = await nodes[0].query<{ readonly sender: string }>(
    "select distinct sender from journal where journey_id = $1 and message ->> '_tag' = 'CustomerReminded'",
    [id]
  )
  expect(senders).toEqual([{ sender: "timer" }])
  const [life] = await storedLives(nodes[0].query, [id])
  expect(life === undefined ? ["no such journey"] : wrongsOf(life)).toEqual([])
  expect(life?.wake_at?.getTime()).toBe(startedAt + 30 * day)
})

it("sends the latest alone after a standstill, and none once the window has ended", async () => {
  const [late, tooLate] = [await asked(), await asked()]
  await wakeBoth(late, 100)
  expect(await remindersOf(late)).toEqual([[100, "VERIFY_IDENTITY", "SECOND"]])
  await wakeBoth(tooLate, 40 * 24)
  expect(await remindersOf(tooLate)).toEqual([])
  const [life] = await storedLives(nodes[0].query, [tooLate])
  expect(life?.status).toBe("EXPIRED")
})

it("sends none once the customer has verified", async () => {
  const id = await asked()
  await nodes[0].run(nodes[0].ask(id, { _tag: "IdentityVerified" }, { at: startedAt + hour }))
  await wakeBoth(id, 2)
  await wakeBoth(id, 26)
  expect(await remindersOf(id)).toEqual([[26, "RECORD_VIDEO", "FIRST"]])
})

it("is decided once more from the row, and not from memory, by a node that finds that another one has written it", async () => {
  let commits = 0
  const slower = await startActors(databaseUrl, (store) => ({
    ...store,
    commit: (commit) => Effect.suspend(() => ((commits += 1), store.commit(commit)))
  }))
  const id = await asked()
  const wakeAt = (node: Actors, hours: number) => node.run(node.wake(id, startedAt + hours * hour))
  // Nothing is due yet: the node has the journey in memory from here on.
  await wakeAt(slower, 1)
  await wakeAt(nodes[0], 24)
  await wakeAt(slower, 24)
  expect(commits).toBe(1)
  await slower.stop()
})
