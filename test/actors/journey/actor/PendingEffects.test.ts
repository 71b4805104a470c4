/**
 * Attempts at external effects beside a destination that never answers: it holds a bounded share of the places, and what is owed
 * elsewhere is done while it still waits.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { makeDestinationPlaces } from "../../../../src/actors/journey/actor/destinationPlaces.ts"
import { EffectFailed, Effects } from "../../../../src/actors/journey/actor/Effects.ts"
import { JourneyMailbox } from "../../../../src/actors/journey/actor/JourneyMailbox.ts"
import { effectLimits } from "../../../../src/actors/journey/actor/limits.ts"
import * as PendingEffects from "../../../../src/actors/journey/actor/PendingEffects.ts"

import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import type { ExternalEffect, Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import * as AesVault from "../../../../src/runtime/keys/AesVault.ts"
import { StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { Vault } from "../../../../src/actors/kernel/Vault.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"
import { masterKey } from "../../../support/endpoints.ts"
import { factsOf, started } from "../rules/startedJourneys.ts"

const submitted = started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey

const journeyOwing = (companyId: string, number: number, kind: ExternalEffect["kind"]): Journey => ({
  ...submitted,
  id: JourneyId.make(`journey ${companyId} ${number}`),
  companyId: CompanyId.make(companyId),
  owed: [{ kind, serial: 1, attempts: 1 }]
})

/** Pending effects, what was asked of whom, and the journeys that heard a result. A journey is away for so many asks first. */
const ground = (attempt: Effects["Service"]["attempt"], awayFor = 0) => {
  const asked: Array<Journey> = []
  const heard: Array<string> = []
  const sent: Array<string> = []
  const messages: Array<JourneyMessage> = []
  const layer = PendingEffects.layer.pipe(
    Layer.provide([
      Layer.succeed(Effects, {
        attempt: (journey, work) =>
          Effect.suspend(() => {
            asked.push(journey)
            return attempt(journey, work)
          })
      }),
      Layer.succeed(JourneyMailbox, {
        ask: (journeyId, { message, messageId }) =>
          Effect.suspend(() => {
            messages.push(message)
            sent.push(messageId)
            if (sent.length <= awayFor) return Effect.fail(new StoreUnavailable({ cause: "away" }))
            heard.push(journeyId)
            return Effect.succeed({ _tag: "Ignored" as const, reason: "heard" })
          }),
        wake: () => Effect.void
      }),
      Layer.succeed(Vault, AesVault.make(masterKey))
    ])
  )
  return { asked, heard, messages, sent, layer }
}

const begin = (journeys: ReadonlyArray<Journey>) =>
  Effect.flatMap(PendingEffects.PendingEffects, (effects) =>
    Effect.forEach(journeys, (journey) => effects.begin(journey, 1, null), { discard: true })
  )

const owing = (companyId: string, count: number, kind: ExternalEffect["kind"] = "SUBMIT_APPLICATION") =>
  Array.from({ length: count }, (_, number) => journeyOwing(companyId, number, kind))

describe("pending effects", () => {
  it.effect("400 applications at a panel that never answers keep no other company waiting", () => {
    const { asked, heard, layer } = ground(({ companyId, owed: [effect] }) =>
      companyId === "dead" && effect?.kind === "SUBMIT_APPLICATION"
        ? Effect.never
        : Effect.succeed({ _tag: "VideoMatched" })
    )
    return Effect.gen(function* () {
      yield* begin(owing("dead", 400))
      yield* begin([...owing("healthy", 200), ...owing("other", 200, "START_IDENTITY_CHECK")])
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(heard.length, 400)
      assert.isFalse(heard.some((journeyId) => journeyId.includes("dead")))
      const atDead = asked.filter(({ companyId }) => companyId === "dead")
      assert.strictEqual(atDead.length, effectLimits.attemptsAtOneDestination)
      // The company's identity provider is another destination than its panel.
      yield* begin(owing("dead", 40, "START_IDENTITY_CHECK"))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(heard.length, 440)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a panel that has failed gets few attempts at once until one succeeds, and then its share again", () => {
    let isDead = true
    const { asked, layer } = ground(() =>
      isDead
        ? Effect.fail(new EffectFailed({ definite: false, reason: "TIMEOUT" })).pipe(Effect.delay("1 second"))
        : Effect.succeed<JourneyMessage>({ _tag: "VideoMatched" }).pipe(Effect.delay("1 second"))
    )
    const { attemptsAtOneDestination: share, attemptsWhileFailing: few } = effectLimits
    return Effect.gen(function* () {
      yield* begin(owing("dead", 400))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.length, share + few)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.length, share + few + few)
      isDead = false
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.length, share + few * 3)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.length, share + few * 3 + share)
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "an attempt whose journey could not hear of it is told again under the same id, and is not made again",
    () => {
      const { asked, heard, layer, sent } = ground(
        () => Effect.succeed({ _tag: "PanelFailed", reason: "SUBMISSION_ERROR" }),
        3
      )
      return Effect.gen(function* () {
        const journeys = owing("one", 1)
        yield* begin(journeys)
        yield* TestClock.adjust(Duration.times(effectLimits.reportAgainEvery, 3))
        assert.deepStrictEqual(
          heard,
          journeys.map(({ id }) => id)
        )
        assert.strictEqual(sent.length, 4)
        assert.strictEqual(new Set(sent).size, 1)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(sent.length, 4)
        assert.strictEqual(asked.length, 1)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("the result of each attempt has an id of its own", () => {
    const { layer, sent } = ground(() => Effect.fail(new EffectFailed({ definite: false, reason: "TIMEOUT" })))
    return Effect.gen(function* () {
      for (const attempts of [1, 2, 3]) {
        yield* begin([
          { ...journeyOwing("one", 1, "CHECK_VIDEO"), owed: [{ kind: "CHECK_VIDEO", serial: 1, attempts }] }
        ])
        yield* TestClock.adjust("1 millis")
      }
      assert.strictEqual(new Set(sent).size, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a journey that hears nothing for long is told no more, and the place is free for another", () => {
    const { asked, layer, sent } = ground(() => Effect.succeed({ _tag: "VideoMatched" }), Infinity)
    const { attemptsAtOneDestination: share, reportWithin } = effectLimits
    return Effect.gen(function* () {
      yield* begin(owing("one", share))
      yield* TestClock.adjust(reportWithin)
      const before = sent.length
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(sent.length, before)
      yield* begin(owing("one", 1))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(asked.length, share + 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a panel that says no for good has answered, and keeps its share", () => {
    const { asked, layer } = ground(() =>
      Effect.fail(new EffectFailed({ definite: true, reason: "REFUSED" })).pipe(Effect.delay("1 second"))
    )
    return Effect.gen(function* () {
      yield* begin(owing("strict", 400))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.length, effectLimits.attemptsAtOneDestination * 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("an attempt that dies is told as one that failed, and its place is free again", () => {
    const { asked, heard, layer, messages } = ground(() => Effect.die("a defect"))
    return Effect.gen(function* () {
      yield* begin(owing("one", 20))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(asked.length, 20)
      assert.strictEqual(heard.length, 20)
      assert.deepInclude(messages[0], { _tag: "OwedFailed", serial: 1, attempt: 1, definite: false })
    }).pipe(Effect.provide(layer))
  })

  it.effect("an attempt is over when its journey begins the next one, however long it waited for its place", () => {
    const waited = Duration.times(PendingEffects.attemptTime("CHECK_VIDEO"), effectLimits.waitForPlace / 2)
    const { asked, heard, layer } = ground(({ id }) =>
      id === last?.id
        ? Effect.never
        : Effect.succeed<JourneyMessage>({ _tag: "VideoMatched" }).pipe(Effect.delay(waited))
    )
    const journeys = owing("one", effectLimits.attemptsAtOneDestination + 1, "CHECK_VIDEO")
    const last = journeys.at(-1)
    return Effect.gen(function* () {
      yield* begin(journeys)
      yield* TestClock.adjust(waited)
      assert.strictEqual(asked.at(-1)?.id, last?.id)
      yield* TestClock.adjust(
        Duration.subtract(PendingEffects.attemptTime("CHECK_VIDEO"), Duration.times(waited, 1.01))
      )
      assert.notInclude(heard, last?.id)
      yield* TestClock.adjust(Duration.times(waited, 0.01))
      assert.include(heard, last?.id)
    }).pipe(Effect.provide(layer))
  })

  it.effect("an attempt whose time is over before there is a place is not made: its journey begins it again", () => {
    const { asked, heard, layer, messages } = ground(() => Effect.never)
    return Effect.gen(function* () {
      yield* begin(owing("dead", 400))
      yield* TestClock.adjust("5 minutes")
      assert.isBelow(asked.length, 50)
      // Those that were made were cut off, and their journeys heard it.
      assert.deepStrictEqual(heard.toSorted(), asked.map(({ id }) => String(id)).toSorted())
      // Nobody knows what the other side did: the journey tries again.
      assert.isTrue(messages.every((message) => message._tag === "OwedFailed" && !message.definite))
    }).pipe(Effect.provide(layer))
  })
})

describe("places of destinations", () => {
  it.effect("go in turns among the destinations that wait", () =>
    Effect.gen(function* () {
      const places = makeDestinationPlaces({ attemptsAtOnce: 1, attemptsAtOneDestination: 1, attemptsWhileFailing: 1 })
      const made: Array<string> = []
      const open = yield* Deferred.make<void>()
      const run = (name: string) =>
        Effect.forkChild(
          places.run(
            name.slice(0, 1),
            effectLimits.reportWithin,
            Effect.andThen(
              Deferred.await(open),
              Effect.sync(() => (made.push(name), true))
            )
          ),
          { startImmediately: true }
        )
      const fibers = yield* Effect.forEach(["a0", "a1", "a2", "b1", "b2", "c1"], run)
      yield* Deferred.succeed(open, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(made, ["a0", "a1", "b1", "c1", "a2", "b2"])
    })
  )

  it.effect("are as many as ever where nobody is or waits: that an attempt failed there is forgotten", () =>
    Effect.gen(function* () {
      const places = makeDestinationPlaces({ attemptsAtOnce: 9, attemptsAtOneDestination: 2, attemptsWhileFailing: 1 })
      const run = (attempt: Effect.Effect<boolean>) =>
        Effect.forkChild(places.run("a", effectLimits.reportWithin, attempt), { startImmediately: true })
      yield* Fiber.join(yield* run(Effect.succeed(false)))
      yield* run(Effect.never)
      const second = yield* run(Effect.succeed(true))
      yield* TestClock.adjust(effectLimits.reportWithin)
      assert.deepStrictEqual(yield* Fiber.join(second), Option.some(true))
    })
  )

  it.effect("are given back by who leaves the queue or is interrupted", () =>
    Effect.gen(function* () {
      const places = makeDestinationPlaces({ attemptsAtOnce: 1, attemptsAtOneDestination: 1, attemptsWhileFailing: 1 })
      const run = (attempt: Effect.Effect<boolean>) => places.run("a", effectLimits.reportWithin, attempt)
      const first = yield* Effect.forkChild(run(Effect.never), { startImmediately: true })
      const second = yield* Effect.forkChild(run(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(second)
      const late = yield* Effect.forkChild(run(Effect.succeed(true)), { startImmediately: true })
      yield* TestClock.adjust(effectLimits.reportWithin)
      assert.deepStrictEqual(yield* Fiber.join(late), Option.none())
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual(yield* run(Effect.succeed(true)), Option.some(true))
    })
  )
})
