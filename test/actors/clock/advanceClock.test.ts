/** An advance of a test clock that fails on its way, with a store that answers as each test wants. */
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { advanceClock } from "../../../src/actors/clock/advanceClock.ts"
import { ClockWork } from "../../../src/actors/clock/ClockWork.ts"
import { JourneyMailbox } from "../../../src/actors/journey/actor/JourneyMailbox.ts"
import { TestClocks, type ClockHold } from "../../../src/actors/journey/actor/TestClocks.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { EndpointMailbox } from "../../../src/actors/webhook/actor/EndpointMailbox.ts"
import * as NodeIds from "../../../src/runtime/node/NodeIds.ts"
import { factsOf, started } from "../journey/rules/startedJourneys.ts"
import { ClockId, CompanyId } from "../../../src/schema/ids.ts"

const id = ClockId.make("clock")
const clock = {
  id,
  companyId: CompanyId.make("company"),
  now: 0,
  createdAt: 0,
  target: null,
  isAdvancing: false,
  journeys: 1
}
/** After whatever waits. */
const target = Date.UTC(2030, 0, 1)
const away = Effect.fail(new StoreUnavailable({ cause: "away" }))

/** What an advance comes to, and how it let go of its clock. */
const advanced = async (
  work: Partial<ClockWork["Service"]>,
  moves: TestClocks["Service"]["moveTo"],
  wake: JourneyMailbox["Service"]["wake"] = () => Effect.void
) => {
  const taken: Array<ClockHold> = []
  const letGo: Array<readonly [ClockHold, boolean]> = []
  const clocks = Layer.mock(TestClocks, {
    take: (hold) => Effect.sync(() => (taken.push(hold), 0)),
    moveTo: moves,
    letGo: (hold, reached) => Effect.sync(() => void letGo.push([hold, reached]))
  })
  const nothing: Partial<ClockWork["Service"]> = {
    journeys: () => Effect.succeed([]),
    nextDelivery: () => Effect.succeed(null),
    sendingTo: () => Effect.succeed([]),
    unsentMails: () => Effect.succeed([])
  }
  const outcome = await Effect.runPromise(
    advanceClock(clock, { target, keyed: null }).pipe(
      Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ complete }) => complete }),
      Effect.provide([
        clocks,
        Layer.mock(ClockWork, { ...nothing, ...work }),
        Layer.mock(JourneyMailbox, { wake }),
        Layer.mock(EndpointMailbox, {}),
        NodeIds.layer
      ])
    )
  )
  expect(taken).toHaveLength(1)
  return { outcome, letGo: letGo.map(([hold, reached]) => [hold === taken[0], reached]) }
}

const moved = () => Effect.succeed(true)

it("an advance that arrives lets its clock go, with nothing left to do", async () => {
  expect(await advanced({}, moved)).toEqual({ outcome: true, letGo: [[true, true]] })
})

it("an advance that loses the database on its way has an unknown outcome, lets its clock go, and keeps its target", async () => {
  expect(await advanced({ journeys: () => away }, moved)).toEqual({
    outcome: "OutcomeUnknown",
    letGo: [[true, false]]
  })
})

it("an advance whose clock somebody else holds by now, or has ended, says so and lets go of its own hold alone", async () => {
  expect(await advanced({}, () => Effect.succeed(false))).toEqual({ outcome: "ClockBusy", letGo: [[true, false]] })
})

it.each([
  ["dies", () => Effect.die("a mistake")],
  ["moves nothing", () => Effect.void]
])("a journey of which a wake-up %s is left out, and the advance arrives", async (_what, wake) => {
  let woken = 0
  const counted = () =>
    Effect.andThen(
      Effect.sync(() => void (woken += 1)),
      wake()
    )
  const stored = { journey: started(factsOf("CASH_SALE")).journey, version: 1 }
  const work: Partial<ClockWork["Service"]> = {
    journeys: () => Effect.succeed([stored]),
    handledSince: () => Effect.succeed({ version: 1, messages: [], events: [] })
  }
  expect(await advanced(work, moved, counted)).toEqual({ outcome: true, letGo: [[true, true]] })
  expect(woken).toBe(1)
})
