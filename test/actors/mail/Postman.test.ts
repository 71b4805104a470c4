/** The postman with a store and a mailer in memory: what becomes of each mail, and when it is tried again. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { exampleId } from "../../../src/schema/exampleId.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { MailNotSent, MailRefused } from "../../../src/actors/mail/Mailer.ts"
import { mailLimits } from "../../../src/actors/mail/limits.ts"
import { mailRetryDelays } from "../../../src/actors/mail/sending/retrySchedule.ts"
import { live, mailContextOf } from "./mailContexts.ts"
import { assertSentSoon, manyMails, oneMail } from "./postmanGround.ts"

const minute = 60_000

const refusing = () => Effect.fail(new MailRefused({ reason: "550" }))

describe("the postman", () => {
  it.effect("tries a mail again later when a try does not end", () => {
    const { layer, told } = oneMail(() => Effect.never)
    return Effect.gen(function* () {
      yield* TestClock.adjust(Duration.millis(minute - 1))
      assert.deepStrictEqual(told, ["handed over"])
      yield* TestClock.adjust(Duration.millis(1))
      assert.deepStrictEqual(told, ["handed over", `1 again ${minute + (mailRetryDelays[0] ?? 0)}`])
    }).pipe(Effect.provide(layer))
  })

  it.effect("tries a mail again as the schedule says, within a second", () => {
    const tried: Array<number> = []
    const { layer } = oneMail(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        tried.push(now)
        return Effect.fail(new MailNotSent({ reason: "451" }))
      })
    )
    return Effect.gen(function* () {
      const delays = mailRetryDelays.slice(0, 6)
      for (const delay of [0, ...delays]) yield* TestClock.adjust(Duration.millis(delay + 1000))
      assert.strictEqual(tried.length, delays.length + 1)
      delays.forEach((delay, before) => {
        const late = (tried[before + 1] ?? 0) - (tried[before] ?? 0) - delay
        assert.isTrue(late >= 0 && late <= 1000, `${late} ms late`)
      })
    }).pipe(Effect.provide(layer))
  })

  it.effect("sends a mail once when its outcome is recorded only after some failures", () => {
    let left = 5
    const { layer, told } = oneMail(() => Effect.void, { isWriting: () => (left -= 1) < 0 })
    return Effect.gen(function* () {
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(told, ["handed over", "sent 0"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("sends a mail again when its outcome was never recorded", () => {
    let isAway = true
    const { layer, told } = oneMail(() => Effect.void, { isWriting: () => !isAway })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(told, ["handed over"])
      isAway = false
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(told.slice(0, 2), ["handed over", "handed over"])
      assert.match(told[2] ?? "", /^sent /)
    }).pipe(Effect.provide(layer))
  })

  it.effect("tries a mail again later when the mailer breaks", () => {
    const { layer, told } = oneMail(() => Effect.die(new Error("broken")))
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", `1 again ${mailRetryDelays[0]}`])
    }).pipe(Effect.provide(layer))
  })

  it.effect("gives a mail back when the service stops while the recipient is looked up", () => {
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "WELCOME", facts: { again: false } },
      find: () => Effect.never
    })
    return Effect.gen(function* () {
      yield* Effect.scoped(Effect.andThen(Layer.build(layer), TestClock.adjust("1 second")))
      assert.deepStrictEqual(told, ["1 again 1000"])
    })
  })

  it.effect("begins the next try of a mail also while the one before has hung for longer than its turn", () => {
    let looksUp = 0
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "WELCOME", facts: { again: false } },
      find: () => ((looksUp += 1) === 1 ? Effect.never : Effect.succeed(mailContextOf(live("CASH_SALE"))))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust(mailLimits.takenFor)
      yield* TestClock.adjust(mailLimits.lookEvery)
      assert.strictEqual(looksUp, 2)
      assertSentSoon(told, Duration.toMillis(mailLimits.takenFor))
    }).pipe(Effect.provide(layer))
  })

  it.effect("tries a mail again later when the recipient cannot be looked up", () => {
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "WELCOME", facts: { again: false } },
      find: () => Effect.fail(new StoreUnavailable({ cause: "away" }))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, [`1 again ${mailRetryDelays[0]}`])
    }).pipe(Effect.provide(layer))
  })

  it.effect("strikes off a mail that is out of date, and sends nothing", () => {
    const { layer, told } = oneMail(() => Effect.void, {
      baseUrl: "https://journeys.example",
      mail: { kind: "RECORD_VIDEO", facts: { again: false } },
      find: () => Effect.succeed(mailContextOf(live("CASH_SALE")))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["1 struck off 0"])
    }).pipe(Effect.provide(layer))
  })

  for (const [whose, mail] of [
    ["a customer's", { kind: "VERIFY_IDENTITY", facts: { again: false } }],
    ["a member's", { kind: "SIGN_IN", facts: { memberId: exampleId("member", 1), askedAt: "2026-03-01T08:00:00Z" } }]
  ] as const) {
    it.effect(`leaves ${whose} mail with a link alone while the service's own address is not known`, () => {
      const { layer, told } = oneMail(() => Effect.void, {
        mail,
        find: () => Effect.succeed(mailContextOf(live("CASH_SALE")))
      })
      return Effect.gen(function* () {
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(told, [])
      }).pipe(Effect.provide(layer))
    })
  }

  it.effect(
    "keeps a mail about a failed try back until its customer has been away for a while, and counts no try",
    () => {
      const away = Duration.toMillis(mailLimits.customerAwayFor)
      let lastSeen = 0
      const { layer, told } = oneMail(() => Effect.void, {
        mail: { kind: "VERIFY_IDENTITY", facts: { again: true, waits: true } },
        baseUrl: "https://journeys.example",
        find: () => Effect.sync(() => mailContextOf(live("IDENTITY_DELIVERY"), { lastSeen }))
      })
      return Effect.gen(function* () {
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(told, [`1 postponed ${away}`])
        lastSeen = 60_000
        yield* TestClock.adjust(mailLimits.customerAwayFor)
        assert.deepStrictEqual(told.slice(1), [`2 postponed ${away + lastSeen}`])
        yield* TestClock.adjust(Duration.sum(Duration.minutes(1), mailLimits.lookEvery))
        assertSentSoon(told.slice(2), away + lastSeen)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("sends a mail about a failed try to a customer who has signed out", () => {
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "VERIFY_IDENTITY", facts: { again: true, waits: true } },
      baseUrl: "https://journeys.example",
      find: () => Effect.succeed(mailContextOf(live("IDENTITY_DELIVERY")))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", "sent 0"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes no more mail of one company than its share", () => {
    const { layer, waiting } = manyMails(10, () => Effect.never)
    return Effect.gen(function* () {
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(waiting.length, 10 - mailLimits.mostOfOneCompany)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gives a company whose mail was slow one place, and its share again when a mail was quick", () => {
    let isSlow = true
    const { layer, sent, waiting } = manyMails(20, () => (isSlow ? Effect.sleep(mailLimits.slowAfter) : Effect.void))
    return Effect.gen(function* () {
      yield* Effect.andThen(TestClock.adjust(mailLimits.slowAfter), TestClock.adjust("1 second"))
      const left = 20 - mailLimits.mostOfOneCompany - mailLimits.mostWhileSlow
      assert.deepStrictEqual([sent.length, waiting.length], [mailLimits.mostOfOneCompany, left])
      isSlow = false
      yield* Effect.andThen(TestClock.adjust(mailLimits.slowAfter), TestClock.adjust("1 second"))
      assert.strictEqual(sent.length, 20)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gives up a try in a kept place soon, and goes on there with the next mail", () => {
    const { keptForAsked, keptSendWithin, mostInHand } = mailLimits
    const { failed, layer, waiting } = manyMails(
      20,
      () => Effect.never,
      ({ most }) => most
    )
    return Effect.gen(function* () {
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(waiting.length, 20 - mostInHand)
      yield* TestClock.adjust(keptSendWithin)
      assert.strictEqual(failed.length, keptForAsked)
      assert.strictEqual(waiting.length, 20 - mostInHand - keptForAsked)
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps the share of a company alone busy, with one look for two mails", () => {
    const { layer, looks, sent } = manyMails(40, () => Effect.sleep("20 millis"))
    return Effect.gen(function* () {
      for (let step = 0; step < 250; step++) yield* TestClock.adjust("1 millis")
      assert.strictEqual(sent.length, 40)
      // The first look finds all that fits, and the last one nothing.
      assert.isAtMost(looks.length, 40 / 2 + 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on with the free places while a server keeps the others waiting", () => {
    const stuck = Array.from({ length: mailLimits.mostOfOneCompany - 1 }, (_, number) => `mail ${number}`)
    const { layer, sent } = manyMails(10, (mailId) => (stuck.includes(mailId) ? Effect.never : Effect.void))
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.strictEqual(sent.length, 10 - stuck.length)
    }).pipe(Effect.provide(layer))
  })

  for (const isKept of [true, false]) {
    it.effect(`${isKept ? "keeps all" : "sends a bounded number of"} mails about test journeys of one hour`, () => {
      let handedOver = 0
      const { layer, waiting } = manyMails(
        mailLimits.mostTestMails + 2,
        () => Effect.sync(() => void (handedOver += 1)),
        ({ most }) => most,
        {
          isKept,
          mail: { kind: "WELCOME", facts: { again: false } },
          find: () => Effect.succeed(mailContextOf({ ...live("CASH_SALE"), livemode: false }))
        }
      )
      return Effect.gen(function* () {
        while (waiting.length > 0) yield* TestClock.adjust(mailLimits.lookEvery)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(handedOver, mailLimits.mostTestMails + (isKept ? 2 : 0))
      }).pipe(Effect.provide(layer))
    })
  }

  it.effect("informs the team of a customer's mail that is refused for good", () => {
    const { layer, told } = oneMail(refusing, {
      mail: { kind: "WELCOME", facts: { again: false } },
      find: () => Effect.succeed(mailContextOf(live("CASH_SALE")))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", "1 given up 0, refused, with a note about WELCOME"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("informs nobody of a mail to the administrator that is refused for good", () => {
    const { layer, told } = oneMail(refusing)
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", "1 given up 0, refused"])
    }).pipe(Effect.provide(layer))
  })
})
