/**
 * What the operations on test clocks do and say, whoever may ask: a caller with a test key (`testClocks.ts`) or a company's people
 * (`companyClocks.ts`). How a clock is advanced is `actors/clock`'s.
 */
import { Clock, Duration, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { advanceClock } from "../../../actors/clock/advanceClock.ts"
import { TestClocks, type Advance, type TestClock } from "../../../actors/journey/actor/TestClocks.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { unknownIfUnavailable } from "../../../actors/kernel/commitOutcome.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { AdvanceId, ClockId, type CompanyId } from "../../../schema/ids.ts"
import { clockLimits } from "../../../schema/requests/limits.ts"
import {
  type ClockAdvanceBody,
  ClockAdvanced,
  targetOf,
  type TestClockBody,
  TestClockResource
} from "../../../schema/requests/TestClock.ts"
import { exampleOf } from "../../../schema/model.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { Id, naming } from "../../../schema/decoding/parameters.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { ofAnyBody } from "../../server/answers/commonRefusals.ts"
import { answer, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf } from "../../server/answers/envelope.ts"
import { problem, type Problem } from "../../server/answers/problems.ts"
import { fingerprintOf, ofRepeating, optionalIdempotencyKey } from "../frame/asCaller.ts"
import { written } from "../frame/change.ts"
import { notFound } from "../frame/ofCompany.ts"

export const ofClock = { clockId: Id.annotate({ description: "The clock's id", ...naming("clock") }) }

export const ClockAnswer = answerOf("TestClockAnswer", TestClockResource)
const ClockList = Schema.Struct({ content: Schema.Array(TestClockResource) }).annotate({ identifier: "TestClocks" })
export const ClocksAnswer = answerOf("TestClocksAnswer", ClockList)
export const AdvancedAnswer = answerOf("ClockAdvancedAnswer", ClockAdvanced)

const example = exampleOf(TestClockResource)
const advanceExample: ClockAdvanced = {
  clock: example,
  complete: true,
  steps: [
    {
      at: "2026-02-14T10:30:00.000Z",
      kind: "JOURNEY",
      journeyId: exampleId("journey", 3),
      messages: ["CustomerWindowPassed"],
      events: ["journey.expired"]
    },
    {
      at: "2026-02-14T10:30:30.000Z",
      kind: "DELIVERY",
      journeyId: exampleId("journey", 3),
      eventId: exampleId("event", 3),
      type: "journey.expired",
      attempts: 2,
      status: "PENDING"
    }
  ]
}

// What is said of an operation, whoever may ask for it.

export const sayings = {
  create: {
    summary: "Make a test clock",
    description: `A test journey that is started with the header \`Sandbox-Clock\` runs by the clock: its windows, links, reminders, sandbox steps and the retries of its webhooks wait until the clock is advanced. A company has at most ${clockLimits.mostOfCompany} clocks, a clock at most ${clockLimits.mostJourneys} journeys, and it ends by itself after ${Duration.toDays(clockLimits.livesFor)} days. A request that is repeated with the same Idempotency-Key answers the clock that it made, as it is now.`,
    request: jsonExample("A clock that begins later", { startsAt: "2026-02-27T23:00:00Z" }),
    answer: answer("The clock", "Clock made", example)
  },
  list: {
    summary: "List test clocks",
    description: "The clocks that have not ended, newest first.",
    answer: answer("The clocks", "Clocks", { content: [example] })
  },
  get: {
    summary: "Get a test clock",
    description: "Where it stands, and whether an advance is under way or was interrupted.",
    answer: answer("The clock", "Clock", example)
  },
  advance: {
    summary: "Advance a test clock",
    description:
      "Forward only. Everything that falls due up to the target happens in order, each at its own time, before the answer; the answer says what. An advance that takes too long answers with `complete: false`, and one that was interrupted leaves `target`: advance `to` the same time again. `by` counts from where the clock stands; a request that is repeated with the same Idempotency-Key leads to the time that the first one led to, and says what was left to happen. While one advance is under way another is refused with 409.",
    request: jsonExample("Thirty days on", { by: "P30D" }),
    answer: answer("The clock, and what happened", "Clock advanced", advanceExample)
  },
  end: {
    summary: "End a test clock",
    description:
      "Its journeys stay where they are: they can be read and cancelled, and are deleted with the other test data. An ended clock is not found any more.",
    answer: answer("The clock as it was", "Clock ended", example)
  }
} as const

/** What a request that makes a clock may be refused with beside what any may. */
export const ofMaking = [...ofAnyBody, ...ofRepeating] as const

export const failing = { read: ["NOT_FOUND"], change: ["NOT_FOUND", "CONFLICT", ...ofAnyBody, ...ofRepeating] } as const

// What each of them does.

export const resourceOf = (clock: TestClock): TestClockResource => ({
  id: clock.id,
  now: timestamp(clock.now),
  status: clock.isAdvancing ? "ADVANCING" : "READY",
  target: timestampOrNull(clock.target),
  journeys: clock.journeys,
  createdAt: timestamp(clock.createdAt),
  endsAt: timestamp(clock.createdAt + Duration.toMillis(clockLimits.livesFor))
})

/** With an Idempotency-Key the id follows from the key, so that a repeated request finds the clock that it made (I8). */
const clockIdOf = Effect.fnUntraced(function* (companyId: CompanyId, key: string | null) {
  return ClockId.make(key === null ? (yield* Ids).next() : derivedId(yield* Vault, "clock", companyId, key))
})

/** The clock that a request with this key made before. The company has no clock with this id: it has too many others. */
const madeBefore = Effect.fnUntraced(function* (companyId: CompanyId, id: ClockId, fingerprint: string) {
  const clocks = yield* TestClocks
  const before = yield* clocks.requestOf(companyId, id)
  if (before === null) {
    return yield* problem("CONFLICT", "clock", `The company has ${clockLimits.mostOfCompany} clocks; end one of them`)
  }
  if (before !== fingerprint) return yield* problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key")
  const clock = yield* clocks.find(companyId, id, yield* Clock.currentTimeMillis)
  return clock ?? (yield* problem("CONFLICT", "clock", "The clock that this Idempotency-Key made has ended"))
})

/** `isNew` is false for the clock that the same request made before: it is answered as it is now. */
export const made = Effect.fnUntraced(function* <R>(
  companyId: CompanyId,
  request: HttpServerRequest.HttpServerRequest,
  body: Effect.Effect<TestClockBody, Problem, R>
) {
  const key = yield* optionalIdempotencyKey(request)
  const { startsAt } = yield* body
  const clocks = yield* TestClocks
  const id = yield* clockIdOf(companyId, key)
  const fingerprint = yield* fingerprintOf(`clock\n${startsAt ?? ""}`)
  const createdAt = yield* Clock.currentTimeMillis
  const now = startsAt === undefined ? createdAt : Math.max(createdAt, millisOf(startsAt))
  const isNew = yield* written(clocks.add({ id, companyId, now, createdAt, fingerprint }))
  const clock: TestClock = isNew
    ? { id, companyId, now, createdAt, target: null, isAdvancing: false, journeys: 0 }
    : yield* madeBefore(companyId, id, fingerprint)
  return { clock, isNew }
})

export const found = Effect.fnUntraced(function* (companyId: CompanyId, id: string) {
  const clocks = yield* TestClocks
  const clock = yield* clocks.find(companyId, ClockId.make(id), yield* Clock.currentTimeMillis)
  return clock ?? (yield* notFound("clock"))
})

export const listed = Effect.fnUntraced(function* (companyId: CompanyId) {
  const clocks = yield* TestClocks
  return { content: (yield* clocks.list(companyId, yield* Clock.currentTimeMillis)).map(resourceOf) }
})

const busy = problem("CONFLICT", "clock", "The clock is being advanced, or has just ended; try again in a moment", {
  "retry-after": "1"
})

/** What a request asks for that nobody sent before. */
const advanceOf = Effect.fnUntraced(function* (clock: TestClock, body: ClockAdvanceBody, keyed: Advance["keyed"]) {
  const target = targetOf(body, clock.now)
  if (target !== null) return { target, keyed } satisfies Advance
  const most = Duration.toDays(clockLimits.largestAdvance)
  const rule = `must not be before the clock's time, ${timestamp(clock.now)}, nor more than ${most} days after it`
  return yield* problem("VALIDATION_FAILED", "to", `to ${rule}`)
})

/** How a request with this key is known again: by the clock and the key, and by what it asks for. */
const keyedBy = Effect.fnUntraced(function* ({ companyId, id }: TestClock, key: string, { by, to }: ClockAdvanceBody) {
  return {
    id: AdvanceId.make(derivedId(yield* Vault, "advance", companyId, id, key)),
    fingerprint: yield* fingerprintOf(`advance\n${by ?? ""}\n${to ?? ""}`)
  }
})

/** The advance that a request with this key began before, or null. */
const begunBefore = Effect.fnUntraced(function* ({ id }: TestClock, keyed: NonNullable<Advance["keyed"]>) {
  const before = yield* (yield* TestClocks).begunBy(id, keyed.id)
  if (before === null) return null
  if (before.fingerprint !== keyed.fingerprint) return yield* problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key")
  return { target: before.target, keyed } satisfies Advance
})

/**
 * `isReplay` is true for a request that is repeated with its Idempotency-Key: it goes on to where the first one led, and does nothing
 * to a clock that has been advanced beyond. The clock is read before the key is looked for, so that a request which comes while the
 * first one runs finds it.
 */
export const advanced = Effect.fnUntraced(function* <R>(
  clock: TestClock,
  request: HttpServerRequest.HttpServerRequest,
  body: Effect.Effect<ClockAdvanceBody, Problem, R>
) {
  const key = yield* optionalIdempotencyKey(request)
  const asked = yield* body
  const keyed = key === null ? null : yield* keyedBy(clock, key, asked)
  const before = keyed === null ? null : yield* begunBefore(clock, keyed)
  const advance = before ?? (yield* advanceOf(clock, asked, keyed))
  const { complete, steps } =
    advance.target < clock.now
      ? { complete: true, steps: [] }
      : yield* Effect.catchTag(advanceClock(clock, advance), "ClockBusy", () => Effect.fail(busy))
  const now = resourceOf(yield* unknownIfUnavailable(found(clock.companyId, clock.id)))
  return { isReplay: before !== null, done: { clock: now, complete, steps } satisfies ClockAdvanced }
})

export const ended = Effect.fnUntraced(function* (clock: TestClock) {
  const clocks = yield* TestClocks
  yield* written(clocks.end(clock.companyId, clock.id, yield* Clock.currentTimeMillis))
  return resourceOf(clock)
})
