/**
 * A simulation on the real actor and a real database: each of its messages is committed by itself, its events are those of
 * a live journey on the same path, and a crash in the middle of it neither loses a message nor tells one twice.
 */
import { Effect, Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import { CommitUnknown, StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { simulatableEvents } from "../../../../src/schema/journey/events.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { storedLives, wrongsOf } from "../../../support/consistency.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, places, sandbox, shapes } from "../rules/startedJourneys.ts"

let databaseUrl: string
let actors: Actors
beforeAll(async () => {
  databaseUrl = await freshDatabase()
  actors = await startActors(databaseUrl)
})
afterAll(() => actors.stop())

const fresh = (shape: StartFacts["shape"], change: Partial<StartFacts>): StartFacts =>
  factsOf(shape, { id: JourneyId.make(nextId()), customerReference: nextId(), ...change })

const begin = async (facts: StartFacts): Promise<JourneyId> => {
  await actors.begin(facts, Date.now())
  return facts.id
}

const lifeOf = async (id: string) => {
  const [life] = await storedLives(actors.query, [id])
  return life ?? expect.fail("the journey is not stored")
}

/** The journal's lines from a version on. */
const messagesAfter = async (id: string, version: number) =>
  (await lifeOf(id)).journal.filter((line) => line.version > version).map(({ message }) => message)

/** The events as a receiver sees them, but for ids, times and the mode. */
const eventsOf = async (id: string): Promise<ReadonlyArray<unknown>> =>
  (await lifeOf(id)).events.map(({ body }) => {
    const parsed = JSON.parse(body) as { readonly type: string; readonly data: Record<string, unknown> }
    return { type: parsed.type, data: { ...parsed.data, journeyId: null, customerReference: null } }
  })

describe.each(shapes)("a simulation of a %s", (shape) => {
  it.each(places)("%s tells what a live journey tells on the same path, message by message", async (handoverType) => {
    for (const event of simulatableEvents) {
      const test = await begin(fresh(shape, { handoverType, sandbox: sandbox() }))
      const answer = await actors.run(actors.ask(test, { _tag: "Simulate", event }))
      if (answer._tag === "Refused") {
        expect(answer.code).toBe("EVENT_NOT_POSSIBLE")
        expect((await lifeOf(test)).version).toBe(1)
        continue
      }
      const [simulate, ...ordinary] = await messagesAfter(test, 1)
      expect(simulate).toEqual({ _tag: "Simulate", event })
      const live = await begin(fresh(shape, { handoverType }))
      for (const message of ordinary) {
        expect((await actors.run(actors.ask(live, message)))._tag).toBe("Done")
      }
      expect(await eventsOf(test)).toEqual(await eventsOf(live))
      expect([...wrongsOf(await lifeOf(test)), ...wrongsOf(await lifeOf(live))]).toEqual([])
    }
  })
})

const simulation: JourneyMessage = { _tag: "Simulate", event: "delivery.expired" }
const homeFacts = () => fresh("FINANCE_SUBMIT_VIA_MIRA", { handoverType: "HOME_DELIVERY", sandbox: sandbox() })

describe("a simulation that is repeated under its id", () => {
  it("changes nothing again, and is refused when it asks for something else", async () => {
    const id = await begin(homeFacts())
    const messageId = randomUUID()
    const first = await actors.run(actors.ask(id, simulation, { messageId }))
    expect(first).toMatchObject({ _tag: "Done", journey: { status: "EXPIRED", delivery: { status: "EXPIRED" } } })
    const { version } = await lifeOf(id)
    expect(await actors.run(actors.ask(id, simulation, { messageId }))).toEqual({ ...first, isReplay: true })
    const other = actors.ask(id, { _tag: "Simulate", event: "delivery.cancelled" }, { messageId })
    expect(await actors.run(other)).toEqual({ _tag: "IdReused" })
    expect((await lifeOf(id)).version).toBe(version)
  })
})

/** A node whose commit with this number, from 1, fails: before it was written, or without an answer after that. */
const failing = (number: number, how: "unwritten" | "unanswered") => {
  let commits = 0
  return startActors(databaseUrl, (store) => ({
    ...store,
    commit: (commit) => {
      commits += 1
      if (commits < number) return store.commit(commit)
      if (how === "unwritten" || commits > number) return Effect.fail(new StoreUnavailable({ cause: "away" }))
      return Effect.andThen(store.commit(commit), Effect.fail(new CommitUnknown({ cause: "cut" })))
    }
  }))
}

/** A simulation on a node that loses the database at one of its commits. */
const interrupted = async (number: number, how: "unwritten" | "unanswered") => {
  const id = await begin(homeFacts())
  const messageId = randomUUID()
  const node = await failing(number, how)
  const answer = await node.run(Effect.result(node.ask(id, simulation, { messageId })))
  await node.stop()
  return { id, messageId, failure: Result.isFailure(answer) ? answer.failure._tag : answer.success._tag }
}

describe("a simulation whose node loses the database", () => {
  let expected: ReadonlyArray<unknown>
  let lines: number
  beforeAll(async () => {
    const id = await begin(homeFacts())
    await actors.run(actors.ask(id, simulation))
    expected = await eventsOf(id)
    lines = (await lifeOf(id)).version - 1
    expect(lines).toBeGreaterThan(5)
  })

  it.each(["unwritten", "unanswered"] as const)(
    "at any of its commits (%s) goes on where it stopped when it is repeated",
    async (how) => {
      for (let number = 1; number <= lines; number++) {
        const { failure, id, messageId } = await interrupted(number, how)
        expect(failure, `commit ${number}`).toBe(
          number === 1 && how === "unwritten" ? "StoreUnavailable" : "OutcomeUnknown"
        )
        const answer = await actors.run(actors.ask(id, simulation, { messageId }))
        expect(answer, `commit ${number}`).toMatchObject({ _tag: "Done", journey: { status: "EXPIRED" } })
        expect(await eventsOf(id), `commit ${number}`).toEqual(expected)
        expect(wrongsOf(await lifeOf(id)), `commit ${number}`).toEqual([])
      }
    }
  )

  it("is finished by the journey's alarm when nobody repeats it", async () => {
    const { id } = await interrupted(3, "unwritten")
    expect((await lifeOf(id)).wake_at?.getTime()).toBeLessThanOrEqual(Date.now())
    await actors.run(actors.wake(id))
    expect(await eventsOf(id)).toEqual(expected)
    expect(wrongsOf(await lifeOf(id))).toEqual([])
  })

  it("is finished before the next message is taken", async () => {
    const { id } = await interrupted(3, "unwritten")
    const answer = await actors.run(actors.ask(id, { _tag: "Cancel" }))
    expect(answer).toMatchObject({ _tag: "Refused", code: "JOURNEY_FINISHED" })
    expect(await eventsOf(id)).toEqual(expected)
  })
})

describe("a simulation that another node finishes first", () => {
  it("is answered with the journey in its row, and tries nothing of the plan again", async () => {
    const id = await begin(homeFacts())
    const messageId = randomUUID()
    let commits = 0
    const slower = await startActors(databaseUrl, (store) => ({
      ...store,
      commit: (commit) =>
        Effect.suspend(() => {
          commits += 1
          // The simulation itself is written. The other node finds it in the row, and takes all that it has planned.
          const faster = commits === 2 ? Effect.orDie(actors.ask(id, simulation, { messageId })) : Effect.void
          return Effect.andThen(faster, store.commit(commit))
        })
    }))
    const answer = await slower.run(slower.ask(id, simulation, { messageId }))
    expect(answer).toMatchObject({ _tag: "Done", journey: { status: "EXPIRED", delivery: { status: "EXPIRED" } } })
    expect(commits).toBe(2)
    await slower.stop()
    expect(wrongsOf(await lifeOf(id))).toEqual([])
  })

  it("is not said to have changed nothing where others stay faster than each message of its plan", async () => {
    const id = await begin(homeFacts())
    let commits = 0
    const slower = await startActors(databaseUrl, (store) => ({
      ...store,
      commit: (commit) =>
        Effect.suspend(() => ((commits += 1) === 1 ? store.commit(commit) : Effect.succeed("Conflict" as const)))
    }))
    const answer = await slower.run(Effect.result(slower.ask(id, simulation)))
    expect(Result.isFailure(answer) && answer.failure._tag).toBe("OutcomeUnknown")
    expect((await lifeOf(id)).version).toBe(2)
    await slower.stop()
  })
})
