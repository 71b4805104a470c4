/** The postman holds mail to somebody outside whose address or company has had enough, and counts no mail that does not leave (M9). */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import type { CompanyHold } from "../../../src/actors/mail/allowances/MailAllowances.ts"
import { mailLimits } from "../../../src/actors/mail/limits.ts"
import { mailRetryDelays } from "../../../src/actors/mail/sending/retrySchedule.ts"
import { live, mailContextOf } from "./mailContexts.ts"
import { assertSentSoon, oneMail } from "./postmanGround.ts"

/** Until when an invitation waits whose company is held. */
const heldUntil = (held: CompanyHold) =>
  Effect.gen(function* () {
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "INVITATION", facts: { memberId: "ann", by: "operator" } },
      baseUrl: "https://journeys.example",
      admit: () => Effect.succeed({ isAdmitted: false, counted: [], held })
    })
    yield* Effect.andThen(Layer.build(layer), TestClock.adjust("1 second"))
    return Number(/^1 postponed (\d+)$/.exec(told.join())?.[1])
  }).pipe(Effect.scoped)

describe("the postman", () => {
  it.effect("lets a customer's mail wait whose address has had enough, without a link, and sends it then", () => {
    let links = 0
    const hour = Duration.toMillis("1 hour")
    const { layer, told } = oneMail(() => Effect.void, {
      baseUrl: "https://journeys.example",
      mail: { kind: "VERIFY_IDENTITY", facts: { again: false } },
      admit: (_, now) =>
        Effect.succeed({ isAdmitted: now >= hour, counted: Array.from({ length: 10 }, (_, at) => at), held: null }),
      find: () => Effect.succeed(mailContextOf(live("IDENTITY_DELIVERY"))),
      onLink: () => (links += 1)
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([told, links], [[`1 postponed ${hour}`], 0])
      yield* TestClock.adjust("1 hour")
      assertSentSoon(told.slice(1), hour)
      assert.strictEqual(links, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("counts no mail that is struck off, and none whose customer is still here", () => {
    let counted = 0
    let lastSeen: number | null = 0
    const { layer, told } = oneMail(() => Effect.void, {
      baseUrl: "https://journeys.example",
      mail: { kind: "VERIFY_IDENTITY", facts: { again: true, waits: true } },
      admit: () => Effect.sync(() => ((counted += 1), null)),
      find: () =>
        Effect.sync(() =>
          lastSeen === null
            ? mailContextOf(live("CASH_SALE"), { isSuperseded: true })
            : mailContextOf(live("CASH_SALE"), { lastSeen })
        )
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.match(told.join(), /^1 postponed \d+$/)
      lastSeen = null
      yield* TestClock.adjust(mailLimits.customerAwayFor)
      assert.match(told.slice(1).join(), /^2 struck off \d+$/)
      assert.strictEqual(counted, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "lets mail of a company wait that has sent the mails of its day, or that was stopped, without writing it",
    () => {
      const freeAt = Duration.toMillis("20 hours")
      return Effect.gen(function* () {
        const over = yield* heldUntil({ _tag: "Over", freeAt })
        assert.isTrue(over >= freeAt && over <= freeAt + Duration.toMillis(mailLimits.heldSpreadOver))
        // The day has ended since the company's count was read.
        const passed = yield* heldUntil({ _tag: "Over", freeAt: -freeAt })
        assert.isTrue(passed >= 0 && passed <= Duration.toMillis(mailLimits.heldSpreadOver) + 1000)
        const stopped = (yield* heldUntil({ _tag: "Stopped" })) - Duration.toMillis(mailLimits.stoppedAsksEvery)
        assert.isTrue(stopped >= 0 && stopped <= Duration.toMillis(mailLimits.heldSpreadOver) + 1000)
      })
    }
  )

  it.effect("tries a customer's mail again later when its address cannot be counted", () => {
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "WELCOME", facts: { again: false } },
      admit: () => Effect.fail(new StoreUnavailable({ cause: "away" })),
      find: () => Effect.succeed(mailContextOf(live("CASH_SALE")))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, [`1 again ${mailRetryDelays[0]}`])
    }).pipe(Effect.provide(layer))
  })

  it.effect("counts no mail to the company's own people", () => {
    const { layer, told } = oneMail(() => Effect.void, { admit: () => Effect.die(new Error("counted")) })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", "sent 0"])
    }).pipe(Effect.provide(layer))
  })
})
