/** The sandbox waits for somebody who is at the pages of a test journey (decision S1). */
import { expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/Journey.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { reachableStates } from "./reachableStates.ts"
import { stepAskedOf } from "../../../../src/actors/journey/rules/waiting.ts"
import { factsOf, sandbox, second, started, startedAt, stepOf } from "./startedJourneys.ts"

const minute = 60 * second
const held = { _tag: "SandboxHeld" } as const
/** The journey after a message. */
const after = (journey: Journey, message: JourneyMessage, now = startedAt): Journey =>
  stepOf(decide(journey, message, now)).journey

const cashSale = (): Journey => started(factsOf("CASH_SALE", { sandbox: sandbox() })).journey

it("a hold puts the script's next step off by ten minutes, and nothing else: no event, no status, no mail", () => {
  const journey = cashSale()
  const step = stepOf(decide(journey, held, startedAt))
  expect(step.events).toEqual([])
  expect(step.journey).toEqual({ ...journey, sandbox: { ...journey.sandbox, tickAt: startedAt + 10 * minute } })
})

it("a journey that was held less than a minute ago is not held again", () => {
  const journey = after(cashSale(), held)
  expect(decide(journey, held, startedAt + 59 * second)._tag).toBe("Ignored")
  expect(after(journey, held, startedAt + minute).sandbox?.tickAt).toBe(startedAt + 11 * minute)
})

it("the customer's own message starts the usual pace again", () => {
  const journey = after(after(cashSale(), held), { _tag: "IdentityVerified", check: 1 })
  expect(journey.sandbox?.tickAt).toBe(startedAt + 5 * second)
})

it("nothing is held that waits for others, never goes on by itself, has ended, or is live", () => {
  const idle = reachableStates.filter(({ journey }) => journey.sandbox?.tickAt == null || stepAskedOf(journey) === null)
  expect(idle.length).toBeGreaterThan(10)
  for (const { journey } of idle) expect(decide(journey, held, startedAt)._tag).toBe("Ignored")
})
