/** What actors announce about their next alarm: always the alarm of their row, also when they were woken too early. */
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, sandbox, second } from "../rules/startedJourneys.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

let actors: Actors
/** `NOW`, or epoch milliseconds. */
let told: Array<readonly [string, "NOW" | number]>

beforeAll(async () => {
  actors = await startActors(await freshDatabase(), (store) => store, {
    wakeNow: (id) => Effect.sync(() => void told.push([id, "NOW"])),
    wakeAt: (id, at) => Effect.sync(() => void told.push([id, at]))
  })
})
afterAll(() => actors.stop())
beforeEach(() => {
  told = []
})

/** A test journey that was started so long ago. */
const begun = async (shape: StartFacts["shape"], millis: number): Promise<string> => {
  const facts = factsOf(shape, { id: JourneyId.make(nextId()), customerReference: nextId(), sandbox: sandbox() })
  await actors.begin(facts, Date.now() - millis)
  return facts.id
}

const rowOf = async (id: string) => {
  const [row] = await actors.query<{ readonly version: number; readonly wake_at: Date | null }>(
    "select version, wake_at from journeys where id = $1",
    [id]
  )
  if (row === undefined) throw new Error("no row")
  return { version: row.version, alarm: row.wake_at?.getTime() }
}

it("a journey that is woken too early announces its alarm again", async () => {
  const id = await begun("IDENTITY_DELIVERY", 0)
  await actors.run(actors.wake(id))
  const { alarm, version } = await rowOf(id)
  expect(version).toBe(1)
  expect(told.at(-1)).toEqual([id, alarm])
})

it("a journey whose row says that its alarm has passed, and whose state says otherwise, writes the alarm of its state", async () => {
  const [mended, ended] = [await begun("IDENTITY_DELIVERY", 0), await begun("IDENTITY_DELIVERY", 0)]
  await actors.run(actors.ask(ended, { _tag: "Cancel" }))
  const before = await rowOf(mended)
  await actors.query("update journeys set wake_at = now() - interval '1 minute' where id = any($1::uuid[])", [
    `{${mended},${ended}}`
  ])
  await actors.run(actors.wake(mended))
  await actors.run(actors.wake(ended))
  expect(await rowOf(mended)).toEqual(before)
  expect((await rowOf(ended)).alarm).toBeUndefined()
})

it("a journey that moves on when it is woken announces its next alarm", async () => {
  const id = await begun("IDENTITY_DELIVERY", 6 * second)
  await actors.run(actors.wake(id))
  const { alarm, version } = await rowOf(id)
  expect(version).toBeGreaterThan(1)
  expect(alarm).toBeGreaterThan(Date.now())
  expect(told.at(-1)).toEqual([id, alarm])
})

it("a message that sets a new alarm announces that alarm, and a message that leaves work announces that something is due now", async () => {
  const id = await begun("FINANCE_ALREADY_SUBMITTED", 0)
  await actors.run(actors.ask(id, { _tag: "FinanceDecision", decision: "APPROVED" }))
  expect(told).toEqual([[id, (await rowOf(id)).alarm]])
  await actors.run(actors.ask(id, { _tag: "IdentityVerified" }))
  expect(told.slice(1)).toEqual([[id, "NOW"]])
})

it("a journey that has ended announces nothing when it is woken", async () => {
  const id = await begun("IDENTITY_DELIVERY", 0)
  await actors.run(actors.ask(id, { _tag: "Cancel" }))
  await actors.run(actors.wake(id))
  expect((await rowOf(id)).alarm).toBeUndefined()
  expect(told).toEqual([])
})

it("what is due by itself stands in the journal under whose it is: its own work is the service's, what others would send is the sandbox's", async () => {
  const sendersOf = async (id: string) => {
    await actors.run(actors.wake(id))
    const rows = await actors.query<{ readonly tag: string; readonly sender: string }>(
      "select message ->> '_tag' as tag, sender from journal where journey_id = $1 and version > 1 order by version",
      [id]
    )
    return rows.map(({ sender, tag }) => [tag, sender])
  }
  const live = factsOf("FINANCE_SUBMIT_VIA_MIRA", { id: JourneyId.make(nextId()), customerReference: nextId() })
  await actors.begin(live, Date.now() - second)
  expect(await sendersOf(live.id)).toEqual([["OwedBegun", "service"]])
  expect(await sendersOf(await begun("FINANCE_SUBMIT_VIA_MIRA", 6 * second))).toEqual([["PanelAccepted", "sandbox"]])
})
