/** How long the stream of a journey's page lasts, what it says while nothing happens, and how many pages a node watches. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ConsoleSessions } from "../../../src/actors/members/ConsoleSessions.ts"
import { JourneyMarks } from "../../../src/actors/review/JourneyMarks.ts"
import { consoleLimits } from "../../../src/http/console/frame/limits.ts"
import { JourneyWatch, layer } from "../../../src/http/console/journeys/JourneyWatch.ts"
import { liveStream } from "../../../src/http/console/journeys/liveStream.ts"
import { CompanyId, ConsoleSessionId, JourneyId } from "../../../src/schema/ids.ts"

const journey = JourneyId.make("journey")

const company = CompanyId.make("company")
const session = (id: string) => ({ id: ConsoleSessionId.make(id), company })

/** A database in which the journey has this mark, and each session looks at this company; undefined: it has ended. */
const marked = (mark: () => string, lookedAt: () => CompanyId | null | undefined = () => company) =>
  layer.pipe(
    Layer.provide([
      Layer.succeed(JourneyMarks, { of: (ids) => Effect.sync(() => new Map(ids.map((id) => [id, mark()]))) }),
      Layer.mock(ConsoleSessions, {
        companies: (ids) =>
          Effect.sync(() => {
            const found = lookedAt()
            return new Map(found === undefined ? [] : ids.map((id) => [id, found]))
          })
      })
    ])
  )

/** What a page hears, as it comes, until the stream ends. */
const listen = (said: Array<string>) =>
  Effect.gen(function* () {
    const watch = yield* JourneyWatch
    const texts = liveStream({ shown: "first", open: watch.open(journey, session("session")) })
    return yield* Stream.runForEach(texts, (bytes) =>
      Effect.sync(() => void said.push(new TextDecoder().decode(bytes)))
    ).pipe(Effect.forkChild)
  })

const quiet = (said: ReadonlyArray<string>) => said.filter((text) => text === ": still there\n\n").length

describe("the stream of a journey's page", () => {
  it.effect("says something every twenty seconds while nothing happens, and ends after half an hour", () => {
    const said: Array<string> = []
    return Effect.gen(function* () {
      const heard = yield* listen(said)
      yield* TestClock.adjust("10 seconds")
      const before = quiet(said)
      yield* TestClock.adjust(Duration.times(consoleLimits.streamSaysSomethingEvery, 3))
      assert.strictEqual(quiet(said) - before, 3)
      yield* TestClock.adjust(Duration.subtract(consoleLimits.streamEndsAfter, Duration.minutes(2)))
      assert.isUndefined(heard.pollUnsafe())
      yield* TestClock.adjust("3 minutes")
      yield* Fiber.join(heard)
      assert.strictEqual((yield* JourneyWatch).openPages(), 0)
      assert.isFalse(said.join("").includes("live-end"), "a browser connects anew")
    }).pipe(Effect.provide(marked(() => "first")))
  })

  it.effect.each([
    ["its session ends", undefined, /nobody is signed in[^]*live-end/],
    ["its session looks at another company", CompanyId.make("another"), /another company now[^]*live-end/],
    ["its session looks at no company", null, /another company now[^]*live-end/]
  ] as const)("ends within a second when %s, and hears of no change that comes with it", ([, elsewhere, told]) => {
    const said: Array<string> = []
    let [mark, lookedAt]: [string, CompanyId | null | undefined] = ["first", company]
    return Effect.gen(function* () {
      const heard = yield* listen(said)
      yield* TestClock.adjust("5 seconds")
      ;[mark, lookedAt] = ["second", elsewhere]
      yield* TestClock.adjust(consoleLimits.lookForChangesEvery)
      yield* Fiber.join(heard)
      assert.match(said.at(-1) ?? "", told)
      assert.isFalse(said.join("").includes("second"))
      assert.strictEqual((yield* JourneyWatch).openPages(), 0)
    }).pipe(
      Effect.provide(
        marked(
          () => mark,
          () => lookedAt
        )
      )
    )
  })

  it.effect("hears of a change within a second", () => {
    const said: Array<string> = []
    let mark = "first"
    return Effect.gen(function* () {
      const heard = yield* listen(said)
      yield* TestClock.adjust("5 seconds")
      mark = "second"
      yield* TestClock.adjust(consoleLimits.lookForChangesEvery)
      assert.match(said.at(-1) ?? "", /^id: second\nevent: journey-changed\n/)
      yield* Fiber.interrupt(heard)
    }).pipe(Effect.provide(marked(() => mark)))
  })

  it.effect("is watched for three hundred pages of a node; the next has no room until one is closed", () =>
    Effect.gen(function* () {
      const watch = yield* JourneyWatch
      const first = yield* Scope.make()
      const open = (page: number) => watch.open(journey, session(`session ${page}`))
      assert.isNotNull(yield* Scope.provide(open(0), first))
      for (let page = 1; page < consoleLimits.livePagesOfNode; page++) assert.isNotNull(yield* open(page))
      assert.isNull(yield* open(300))
      yield* Scope.close(first, yield* Effect.exit(Effect.void))
      assert.isNotNull(yield* open(300))
      assert.strictEqual(watch.openPages(), consoleLimits.livePagesOfNode)
    }).pipe(Effect.scoped, Effect.provide(marked(() => "first")))
  )
})
