/** What the log says of requests that are answered 503 because a store cannot be reached. */
import { expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { makeUnavailableNews } from "../../../src/http/server/answers/unavailableNews.ts"

it.effect("says it at once, and then once a minute with how many there were", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.make<unknown, void>(({ message }) => void lines.push(message))])
    const say = makeUnavailableNews()
    const saying = (...ids: ReadonlyArray<string>) =>
      Effect.provide(Effect.forEach(ids, say, { discard: true }), logger)
    const text = "The store is unavailable: requests are answered 503"

    yield* saying("1", "2", "3")
    expect(lines).toEqual([[text, { requests: 1, lastRequestId: "1" }]])
    yield* TestClock.adjust(httpLimits.unavailableSaidEvery)
    yield* saying("4", "5")
    expect(lines.slice(1)).toEqual([[text, { requests: 3, lastRequestId: "4" }]])
  })
)
