/**
 * A caller may hang up at any moment, above all between the commit and the reply, and must not leave an actor behind whose
 * journey in memory is older than the row. With one actor alive a stale journey shows as a refused commit, so no commit may be
 * refused here.
 */
import { Effect, Fiber } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { journeyResource } from "../../../../src/actors/journey/rules/projection.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { ask, makeCompany, start, startBody } from "../../../support/companies.ts"
import { inconsistencies, storedLives, wrongsOf } from "../../../support/consistency.ts"
import { freshDatabase, startService } from "../../../support/service.ts"
import { factsOf, startedAt } from "../rules/startedJourneys.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

const journeys = 12
const rounds = 40
/** A commit takes a few milliseconds: the caller hangs up before, during and after it. */
const patienceMillis = 6

let actors: Actors
let refusedCommits = 0
beforeAll(async () => {
  actors = await startActors(await freshDatabase(), (store) => ({
    ...store,
    commit: (commit) =>
      Effect.tap(store.commit(commit), (written) =>
        Effect.sync(() => {
          if (written === "Conflict") refusedCommits += 1
        })
      )
  }))
})
afterAll(() => actors.stop())

/** Three messages that lead round in a circle; each is ignored where it does not fit. */
const circle: ReadonlyArray<JourneyMessage> = [
  { _tag: "VideoUploaded" },
  { _tag: "VideoUnclear" },
  { _tag: "TeamRejectsVideo" }
]

it("an interrupted ask leaves memory and row in agreement", async () => {
  let interrupted = 0
  const live = Effect.gen(function* () {
    const facts = { ...factsOf("FINANCE_SALE"), id: JourneyId.make(nextId()), customerReference: nextId() }
    yield* Effect.promise(() => actors.begin(facts, startedAt))
    for (let round = 0; round < rounds; round++) {
      for (const message of circle) {
        const telling = yield* Effect.forkChild(actors.ask(facts.id, message))
        yield* Effect.sleep(Math.random() * patienceMillis)
        if (telling.pollUnsafe() === undefined) interrupted += 1
        yield* Fiber.interrupt(telling)
      }
      const answers = yield* Effect.forEach(circle, (message) => actors.ask(facts.id, message))
      const last = answers.findLast((answer) => answer._tag === "Done")
      const [life] = yield* Effect.promise(() => storedLives(actors.query, [facts.id]))
      expect(life && last).toEqual(life && { _tag: "Done", journey: journeyResource(life.state) })
    }
    return facts.id
  })
  const ids = await actors.run(
    Effect.all(
      Array.from({ length: journeys }, () => live),
      { concurrency: "unbounded" }
    )
  )
  expect(interrupted).toBeGreaterThan(rounds)
  expect(refusedCommits).toBe(0)
  expect((await storedLives(actors.query, ids)).flatMap((life) => wrongsOf(life))).toEqual([])
})

it("a fetch that is aborted leaves the service answering with what is stored", async () => {
  const service = await startService({ SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
  const company = await makeCompany(service)
  const id = (await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"), "hang-up-1")).data
    .id as string
  const path = `/api/v1/journeys/${id}`
  for (let round = 0; round < 40; round++) {
    const isLast = round === 39
    await fetch(`${service.baseUrl}${path}/finance-decision`, {
      method: "POST",
      headers: { authorization: `Bearer ${company.testKey}`, "content-type": "application/json" },
      body: JSON.stringify({ decision: isLast ? "APPROVED" : "REFERRED" }),
      signal: AbortSignal.timeout(1 + (round % patienceMillis))
    }).catch(() => undefined)
    const answer = await ask(service, company.testKey, `${path}/finance-decision`, { body: { decision: "REFERRED" } })
    const read = await ask(service, company.testKey, path)
    if (answer.status === 200) expect(read.data).toEqual(answer.data)
    else expect([answer.errors?.[0]?.code, read.data.finance.status]).toEqual(["FINANCE_ALREADY_DECIDED", "APPROVED"])
  }
  expect(await inconsistencies(service.query)).toEqual([])
  await service.stop()
})
