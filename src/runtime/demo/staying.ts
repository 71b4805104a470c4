/**
 * `npm run demo -- --stay`: the service with one test journey of each shape, each at its customer's first step, to be
 * clicked through. The journeys stay where they are until somebody goes on with them, and the service until Ctrl-C.
 */
import { Console, Effect, Redacted } from "effect"
import { Shape } from "../../schema/journey/statuses.ts"
import { firstStart } from "../firstStart/firstStart.ts"
import { Settings } from "../settings/Settings.ts"
import { DemoClient } from "./DemoClient.ts"
import { DemoFailed } from "./DemoFailed.ts"
import * as story from "./story.ts"

/** The lender's decision comes first on this shape: the customer is asked after it. */
const firstEvents: Readonly<Partial<Record<Shape, string>>> = { FINANCE_SUBMIT_VIA_MIRA: "finance_enquiry.approved" }

export const staying = Effect.fnUntraced(function* (baseUrl: string) {
  const { operatorToken } = yield* Settings
  const first = yield* firstStart(baseUrl)
  const dealer = first._tag === "DemoMade" ? first.demo.companies.find(({ kind }) => kind === "DEALER") : undefined
  if (dealer === undefined) return yield* new DemoFailed({ message: "The demo companies could not be made" })
  const client = yield* DemoClient.of(baseUrl, Redacted.value(operatorToken), { id: dealer.id, key: dealer.testKey })
  yield* client.advanceByHand
  yield* Console.log(story.stayingAt(baseUrl))
  for (const shape of Shape.literals) {
    const journey = yield* client.start(shape)
    const event = firstEvents[shape]
    const shown = event === undefined ? journey : yield* client.simulate(journey.id, event)
    yield* Console.log(story.staysOpen(shape, shown, baseUrl))
  }
  yield* Console.log(story.stayingUntil)
  return yield* Effect.never
})
