/** How long the stream of a journey's page lasts, what it says while nothing happens, and how many pages a node watches. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { JourneyMarks } from "../../../src/actors/review/JourneyMarks.ts"
import { consoleLimits } from "../../../src/http/console/frame/limits.ts"
import { JourneyWatch, layer } from "../../../src/http/console/journeys/JourneyWatch.ts"
import { liveStream } from "../../../src/http/console/journeys/liveStream.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

const journey = JourneyId.make("journey")

/** A database in which the journey has this mark. */
const marked = (mark: () => string) =>
  layer.pipe(
    Layer.provide(
      Layer.succeed(JourneyMarks, { of: (ids) => Effect.sync(() => new Map(ids.map((id) => [id, mark()]))) })
    )
  )

/** What a page hears, as it comes, until the stream ends. */
const listen = (said: Array<string>, isSignedIn: () => boolean = () => true) =>
  Effect.gen(function* () {
    const watch = yield* JourneyWatch
    const texts = liveStream({
      shown: "first",
      open: watch.open(journey, "session"),
      isSignedIn: Effect.sync(isSignedIn)
    })
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

  it.effect("ends within twenty seconds of its session, also when nothing happens", () => {
    const said: Array<string> = []
    let isIn = true
    return Effect.gen(function* () {
      const heard = yield* listen(said, () => isIn)
      yield* TestClock.adjust("5 seconds")
      isIn = false
      yield* TestClock.adjust(consoleLimits.streamSaysSomethingEvery)
      yield* Fiber.join(heard)
      assert.match(said.at(-1) ?? "", /nobody is signed in[^]*live-end/)
    }).pipe(Effect.provide(marked(() => "first")))
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
      const open = (page: number) => watch.open(journey, `session ${page}`)
      assert.isNotNull(yield* Scope.provide(open(0), first))
      for (let page = 1; page < consoleLimits.livePagesOfNode; page++) assert.isNotNull(yield* open(page))
      assert.isNull(yield* open(300))
      yield* Scope.close(first, yield* Effect.exit(Effect.void))
      assert.isNotNull(yield* open(300))
      assert.strictEqual(watch.openPages(), consoleLimits.livePagesOfNode)
    }).pipe(Effect.scoped, Effect.provide(marked(() => "first")))
  )
})
