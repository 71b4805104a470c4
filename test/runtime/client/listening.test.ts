/** What `listen` says of the service's limits and types, and how it waits, without a service. */
import { Duration } from "effect"
import { expect, it } from "vitest"
import { largestPageSize } from "../../../src/schema/decoding/parameters.ts"
import { eventTypes } from "../../../src/schema/journey/events.ts"
import { webhookLimits } from "../../../src/schema/webhook/limits.ts"
import { listenLimits } from "../../../src/runtime/client/lib/limits.ts"
import { longestType } from "../../../src/runtime/client/listen/listenLines.ts"
import { pauseBefore } from "../../../src/runtime/client/listen/pauseBefore.ts"

it("listen asks, waits and signs as the service does, and its lines have room for each type of event", () => {
  expect(listenLimits).toMatchObject({
    eventsAtOnce: largestPageSize,
    answerMillis: Duration.toMillis(webhookLimits.exchangeTimeout),
    secretBytes: webhookLimits.secretBytes
  })
  expect(longestType.length).toBe(Math.max(...eventTypes.map((type) => type.length)))
})

it("listen waits twice as long each time, and half a minute at most", () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 100].map((repetition) => pauseBefore(repetition) / 1000)
  expect(seconds).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
})
