import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Metric } from "effect"
import type { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { EventEmitter, once } from "node:events"
import { setImmediate as nextTurn } from "node:timers/promises"
import { FaceCheck } from "../../../src/actors/faces/FaceCheck.ts"
import { CurrentWorkFor } from "../../../src/actors/kernel/WorkFor.ts"
import { bodyBudgetOf, CurrentBodyBudget, type BodyBudget } from "../../../src/http/server/admission/BodyBudget.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { readMultipart } from "../../../src/http/server/bodies/multipart.ts"
import { withRoom } from "../../../src/http/server/bodies/roomForBody.ts"
import { mayComeSlowly } from "../../../src/http/server/admission/slowUploads.ts"

const mebibyte = 2 ** 20
const photo = 5 * mebibyte

/** A request whose body arrives by hand: as much of one as says how large it is and how it comes. */
const requestOf = (headers: Readonly<Record<string, string>>, remoteAddress = "203.0.113.7") => {
  const socket = { bytesRead: 0, remoteAddress }
  const response = new EventEmitter()
  const told = new EventEmitter()
  const source = {
    headers,
    socket,
    complete: false,
    pause: () => told.emit("pause"),
    resume: () => told.emit("resume")
  }
  const request = { source, response }
  return { request: request as unknown as HttpServerRequest.HttpServerRequest, response, socket, source, told }
}

const announced = (bytes: number, from?: string) => requestOf({ "content-length": String(bytes) }, from)

/** How a start whose form announces so many bytes, and none of them comes, is refused. */
const codeOf = (bytes: number) =>
  Effect.map(Effect.flip(readMultipart(announced(bytes).request, "journey")), ({ errors }) => errors[0].code)

/** How many were refused, by the reason. */
const refused = Effect.map(Metric.snapshot, (all) =>
  Object.fromEntries(
    all.flatMap(({ attributes, id, state }) =>
      id === "journeys_bodies_refused_total" && "count" in state ? [[attributes?.["reason"], Number(state.count)]] : []
    )
  )
)
const nothingRefused = { NO_ROOM: 0, NO_PLACE_FOR_PHOTO: 0, TOO_SLOW: 0 }

const withBudget = <A, E, R>(use: (budget: BodyBudget) => Effect.Effect<A, E, R>) => {
  const budget = bodyBudgetOf(128 * mebibyte)
  return use(budget).pipe(
    Effect.provideService(CurrentBodyBudget, budget),
    Effect.provideService(CurrentWorkFor, { companyId: "one", livemode: false, who: "key" })
  )
}

const sentFrom = (address: string) =>
  Effect.result(withRoom(announced(photo, address).request, photo, () => Effect.void))

/** A reader that never gets to its end. */
const stalled = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const reading = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      Effect.flip(withRoom(request, photo, () => Effect.andThen(Deferred.succeed(reading, undefined), Effect.never)))
    )
    yield* Deferred.await(reading)
    // The pace is watched beside the reader.
    yield* TestClock.adjust(0)
    return fiber
  })

describe("a large body", () => {
  it.effect("that nearly stands still is cut with REQUEST_TIMEOUT, and its room is free once it is answered", () =>
    withBudget((budget) =>
      Effect.gen(function* () {
        const { request, response, socket } = announced(photo)
        const fiber = yield* stalled(request)
        assert.strictEqual(budget.held(), photo)
        socket.bytesRead += 41 * 1024
        yield* TestClock.adjust("5 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        socket.bytesRead += 39 * 1024
        yield* TestClock.adjust("5 seconds")
        const { errors, headers } = yield* Fiber.join(fiber)
        assert.deepStrictEqual([errors[0].code, headers], ["REQUEST_TIMEOUT", { connection: "close" }])
        response.emit("close")
        assert.strictEqual(budget.held(), 0)
      })
    )
  )

  it.effect("of a customer on a slow line is not cut by this pace", () =>
    withBudget(() =>
      Effect.gen(function* () {
        const { request, response } = announced(photo)
        yield* mayComeSlowly(request)
        const fiber = yield* stalled(request)
        yield* TestClock.adjust("1 minute")
        assert.isUndefined(fiber.pollUnsafe())
        yield* Fiber.interrupt(fiber)
        response.emit("close")
      })
    )
  )

  it.effect("that has come whole is not cut while its reader works, nor one that takes no room yet", () =>
    withBudget(() =>
      Effect.gen(function* () {
        const [whole, empty] = [announced(photo), requestOf({ "transfer-encoding": "chunked" })]
        whole.source.complete = true
        const fibers = [yield* stalled(whole.request), yield* stalled(empty.request)]
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(
          fibers.map((fiber) => fiber.pollUnsafe()),
          [undefined, undefined]
        )
        yield* Fiber.interruptAll(fibers)
        for (const { response } of [whole, empty]) response.emit("close")
      })
    )
  )

  it.effect("of somebody whom nobody knows yet counts for the address that it comes from", () =>
    withBudget(() =>
      Effect.gen(function* () {
        const results = [yield* sentFrom("203.0.113.1"), yield* sentFrom("203.0.113.1"), yield* sentFrom("203.0.113.2")]
        assert.deepStrictEqual(
          results.map(({ _tag }) => _tag),
          ["Success", "Failure", "Success"]
        )
      }).pipe(Effect.provideService(CurrentWorkFor, { companyId: null, livemode: true, who: "" }))
    )
  )

  it.effect("is refused for its announced size before anything of it is read", () =>
    withBudget(() =>
      Effect.gen(function* () {
        const first = [announced(photo), announced(photo)]
        for (const { request } of first) yield* withRoom(request, photo, () => Effect.void)
        const refused = yield* Effect.flip(withRoom(announced(photo).request, photo, () => Effect.die("was read")))
        assert.deepStrictEqual(
          [refused.errors[0].code, refused.headers],
          ["TEMPORARILY_UNAVAILABLE", { "retry-after": "1" }]
        )
        for (const { response } of first) response.emit("close")
        yield* withRoom(announced(photo).request, photo, () => Effect.void)
      })
    )
  )

  it.effect(
    "with a photo for which there is no place is refused before it is read, and counted; a small one is read",
    () =>
      withBudget(() =>
        Effect.gen(function* () {
          assert.strictEqual(yield* codeOf(photo), "TEMPORARILY_UNAVAILABLE")
          assert.deepStrictEqual(yield* refused, { ...nothingRefused, NO_PLACE_FOR_PHOTO: 1 })
          // It has no boundary, which is found out when it is read.
          assert.strictEqual(yield* codeOf(1000), "VALIDATION_FAILED")
        })
      ).pipe(
        Effect.provide(
          Layer.mock(FaceCheck, { hasRoom: Effect.succeed(false), likeness: () => assert.fail("compared") })
        ),
        Effect.provideService(Metric.MetricRegistry, new Map())
      )
  )

  it.effect("that is refused is counted by why it was: no room, or too slow", () =>
    withBudget(() =>
      Effect.gen(function* () {
        const slow = announced(photo)
        const fiber = yield* stalled(slow.request)
        yield* Effect.flip(withRoom(announced(photo * 20).request, photo * 20, () => Effect.void))
        assert.deepStrictEqual(yield* refused, { ...nothingRefused, NO_ROOM: 1 })
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(fiber)
        slow.response.emit("close")
        assert.deepStrictEqual(yield* refused, { ...nothingRefused, NO_ROOM: 1, TOO_SLOW: 1 })
      })
    ).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("without a size is counted as it comes, up to what is kept of it", () =>
    withBudget((budget) =>
      Effect.gen(function* () {
        const { request, response } = requestOf({ "transfer-encoding": "chunked" })
        const before = budget.held()
        const held = yield* withRoom(request, photo, (hasRoom) =>
          Effect.sync(() => [1024, mebibyte, 50 * mebibyte].map((bytes) => [hasRoom(bytes), budget.held() - before]))
        )
        assert.deepStrictEqual(held, [
          [true, 0],
          [true, mebibyte],
          [true, photo]
        ])
        response.emit("close")
      })
    )
  )
})

describe("a large body that has brought what one turn of the event loop is for", () => {
  it.live("waits for the next turn, and then goes on", () =>
    withBudget(() =>
      Effect.gen(function* () {
        const { request, response, told } = announced(photo)
        const heard: Array<string> = []
        told.on("pause", () => heard.push("pause")).on("resume", () => heard.push("resume"))
        yield* withRoom(request, photo, (hasRoom) =>
          Effect.gen(function* () {
            // What other bodies have brought before counts for the turn that ends here.
            yield* Effect.promise(() => nextTurn())
            const goesOn = once(told, "resume")
            // A reader says each time how much has come in all.
            hasRoom(httpLimits.bodyBytesPerTurn / 2)
            hasRoom(httpLimits.bodyBytesPerTurn - 1)
            assert.deepStrictEqual(heard, [])
            hasRoom(httpLimits.bodyBytesPerTurn)
            assert.deepStrictEqual(heard, ["pause"])
            yield* Effect.promise(() => goesOn)
          })
        )
        assert.deepStrictEqual(heard, ["pause", "resume"])
        response.emit("close")
      })
    )
  )
})

describe("a small body", () => {
  it.effect("is read whatever room there is, and takes none", () =>
    Effect.gen(function* () {
      const empty = bodyBudgetOf(0)
      const { request } = announced(32 * 1024)
      const read = withRoom(request, photo, () => Effect.sync(() => empty.held()))
      assert.strictEqual(yield* Effect.provideService(read, CurrentBodyBudget, empty), 0)
    })
  )
})
