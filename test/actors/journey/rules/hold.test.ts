/** The sandbox waits for somebody who is at the pages of a test journey (decision S1). */
import { expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { reachableStates } from "./reachableStates.ts"
import { openReview, stepAskedOf } from "../../../../src/actors/journey/rules/state/waiting.ts"
import { factsOf, sandbox, second, started, startedAt, stepOf } from "./startedJourneys.ts"

const minute = 60 * second
const held = { _tag: "SandboxHeld" } as const
const heldAtReview = { _tag: "SandboxHeld", at: "REVIEW" } as const
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

it("whoever looks at a review holds the script while the review waits, and the decision starts the usual pace again", () => {
  const reviewed = after(cashSale(), { _tag: "IdentityUnderReview", check: 1 })
  expect(reviewed.sandbox?.tickAt).toBe(startedAt + 5 * second)
  expect(decide(reviewed, held, startedAt)._tag).toBe("Ignored")
  const looked = after(reviewed, heldAtReview)
  expect(looked).toEqual({ ...reviewed, sandbox: { ...reviewed.sandbox, tickAt: startedAt + 10 * minute } })
  expect(decide(looked, heldAtReview, startedAt + 59 * second)._tag).toBe("Ignored")
  const decided = after(looked, { _tag: "IdentityVerified", reviewed: 1, fingerprint: "f" }, startedAt + minute)
  expect(decided.sandbox?.tickAt).toBe(startedAt + minute + 5 * second)
})

it("a look at a review holds nothing where no review waits, or nothing goes on by itself", () => {
  const idle = reachableStates.filter(({ journey }) => journey.sandbox?.tickAt == null || openReview(journey) === null)
  expect(idle.length).toBeGreaterThan(10)
  for (const { journey } of idle) expect(decide(journey, heldAtReview, startedAt)._tag).toBe("Ignored")
})

it("nothing is held that waits for others, never goes on by itself, has ended, or is live", () => {
  const idle = reachableStates.filter(({ journey }) => journey.sandbox?.tickAt == null || stepAskedOf(journey) === null)
  expect(idle.length).toBeGreaterThan(10)
  for (const { journey } of idle) expect(decide(journey, held, startedAt)._tag).toBe("Ignored")
})
