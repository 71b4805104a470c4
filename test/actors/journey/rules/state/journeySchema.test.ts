/** What the row stores can be read back: every state survives its schema and JSON unchanged. */
import * as fc from "fast-check"
import { Schema } from "effect"
import { expect, it } from "vitest"
import { Journey } from "../../../../../src/actors/journey/rules/state/Journey.ts"
import { JourneyMessage } from "../../../../../src/schema/journey/messages.ts"
import { statesOf } from "../history.ts"
import { described, reachableStates } from "../reachableStates.ts"
import { play } from "../histories.ts"
import { sequences } from "../sequences.ts"
import { everyMessage } from "../startedJourneys.ts"

const decode = Schema.decodeUnknownSync(Journey, { onExcessProperty: "error" })
const encode = Schema.encodeSync(Journey)

it("keeps every reachable state as it is", () => {
  for (const reached of reachableStates) {
    const stored: unknown = JSON.parse(JSON.stringify(reached.journey))
    expect(decode(stored), described(reached)).toEqual(reached.journey)
    expect(encode(reached.journey), described(reached)).toEqual(stored)
  }
})

it("keeps the states of random lives, with their times and debts, as they are", () => {
  fc.assert(
    fc.property(sequences({ clock: "steps back" }), (life) => {
      for (const { journey } of statesOf(play(life))) {
        expect(decode(JSON.parse(JSON.stringify(journey)))).toEqual(journey)
      }
    }),
    { numRuns: 200 }
  )
})

it("keeps every message of the journal as it is", () => {
  const decodeMessage = Schema.decodeUnknownSync(JourneyMessage, { onExcessProperty: "error" })
  for (const message of everyMessage) expect(decodeMessage(JSON.parse(JSON.stringify(message)))).toEqual(message)
})
