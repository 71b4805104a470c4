/** The postman with a store and a mailer in memory: what becomes of each mail, and when it is tried again. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import { SignInLinks } from "../../../src/actors/customer/SignInLinks.ts"
import { Mailbox } from "../../../src/actors/mail/Mailbox.ts"
import { Mailer, MailNotSent, MailRefused } from "../../../src/actors/mail/Mailer.ts"
import { MailStore } from "../../../src/actors/mail/MailStore.ts"
import { mailLimits } from "../../../src/actors/mail/limits.ts"
import * as Postman from "../../../src/actors/mail/Postman.ts"
import { mailRetryDelays } from "../../../src/actors/mail/retrySchedule.ts"
import { Recipients } from "../../../src/actors/mail/Recipients.ts"
import { ServiceAddress } from "../../../src/actors/mail/ServiceAddress.ts"
import * as NodeIds from "../../../src/runtime/node/NodeIds.ts"
import type { MailKind } from "../../../src/schema/mail/mailKinds.ts"
import { failing } from "../../support/owedMail.ts"
import { live, mailContextOf } from "./mailContexts.ts"

const minute = 60_000
const company = { id: "company", name: "Harbour Cars", adminEmail: "owner@harbourcars.example" }

interface Wishes {
  /** Whether the store takes what is to be recorded. */
  readonly isWriting?: () => boolean
  readonly mail?: { readonly kind: MailKind; readonly facts: unknown }
  readonly find?: Recipients["Service"]["find"]
  readonly baseUrl?: string | null
}

/** One owed mail in memory, a postman, and what he did: told in order, with the times recorded. */
const oneMail = (
  send: Mailer["Service"]["send"],
  { baseUrl = null, find = () => Effect.succeed(null), isWriting = () => true, mail = failing }: Wishes = {}
) => {
  const told: Array<string> = []
  let dueAt: number | null = 0
  let tries = 0
  const record = (what: string, next: number | null) =>
    Effect.suspend(() => {
      if (!isWriting()) return Effect.fail(new StoreUnavailable({ cause: "away" }))
      dueAt = next
      told.push(what)
      return Effect.void
    })
  const store = MailStore.of({
    take: ({ kinds, now, until }) =>
      Effect.sync(() => {
        if (dueAt === null || dueAt > now || !kinds.includes(mail.kind)) return []
        dueAt = until
        tries += 1
        return [{ id: "mail", ...mail, company, tries }]
      }),
    sent: (_, at) => record(`sent ${at}`, null),
    again: (taking, at) => record(`${taking.tries} again ${at}`, at),
    givenUp: (taking, at, note) =>
      record(`${taking.tries} given up ${at}${note === null ? "" : `, with a note about ${note.mail}`}`, null),
    struckOff: (taking, at) => record(`${taking.tries} struck off ${at}`, null),
    kept: () => Effect.void,
    list: () => Effect.succeed({ content: [], totalElements: 0 })
  })
  const mailer = Mailer.of({
    send: (message) =>
      Effect.andThen(
        Effect.sync(() => told.push("handed over")),
        send(message)
      )
  })
  return { told, layer: postman(store, mailer, { baseUrl, find }) }
}

const postman = (
  store: MailStore["Service"],
  mailer: Mailer["Service"],
  { baseUrl, find }: Required<Pick<Wishes, "baseUrl" | "find">>
) =>
  Postman.layer.pipe(
    Layer.provide([
      Layer.succeed(MailStore, store),
      Layer.succeed(Mailer, mailer),
      NodeIds.layer,
      Layer.succeed(Mailbox, { list: null }),
      Layer.succeed(Recipients, { find }),
      Layer.succeed(SignInLinks, {
        issue: ({ mailId }) => Effect.succeed(`token-of-${mailId}`),
        look: () => Effect.succeed({ _tag: "UNKNOWN" }),
        signIn: () => Effect.succeed(null)
      }),
      Layer.succeed(ServiceAddress, { baseUrl })
    ])
  )

/** Many owed mails, due at once, and a postman whose mailer is told which of them it has in hand. */
const manyMails = (count: number, send: (mailId: string) => Effect.Effect<void>) => {
  const waiting = Array.from({ length: count }, (_, number) => ({
    id: `mail ${number}`,
    ...failing,
    company,
    tries: 1
  }))
  const sent: Array<string> = []
  const store = MailStore.of({
    take: ({ most }) => Effect.sync(() => waiting.splice(0, most)),
    sent: (id) => Effect.sync(() => void sent.push(id)),
    again: () => Effect.void,
    givenUp: () => Effect.void,
    struckOff: () => Effect.void,
    kept: () => Effect.void,
    list: () => Effect.succeed({ content: [], totalElements: 0 })
  })
  const mailer = Mailer.of({ send: ({ mailId }) => send(mailId) })
  return { sent, waiting, layer: postman(store, mailer, { baseUrl: null, find: () => Effect.succeed(null) }) }
}

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

  it.effect("leaves mail with a link alone while the service's own address is not known", () => {
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "VERIFY_IDENTITY", facts: { again: false } },
      find: () => Effect.succeed(mailContextOf(live("CASH_SALE")))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(told, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes no more mail than it can send at once", () => {
    const { layer, waiting } = manyMails(10, () => Effect.never)
    return Effect.gen(function* () {
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(waiting.length, 10 - mailLimits.mostInHand)
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on with the free places while a server keeps the others waiting", () => {
    const stuck = Array.from({ length: mailLimits.mostInHand - 1 }, (_, number) => `mail ${number}`)
    const { layer, sent } = manyMails(10, (mailId) => (stuck.includes(mailId) ? Effect.never : Effect.void))
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.strictEqual(sent.length, 10 - stuck.length)
    }).pipe(Effect.provide(layer))
  })

  it.effect("informs the team of a customer's mail that is refused for good", () => {
    const { layer, told } = oneMail(refusing, {
      mail: { kind: "WELCOME", facts: { again: false } },
      find: () => Effect.succeed(mailContextOf(live("CASH_SALE")))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", "1 given up 0, with a note about WELCOME"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("informs nobody of a mail to the administrator that is refused for good", () => {
    const { layer, told } = oneMail(refusing)
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["handed over", "1 given up 0"])
    }).pipe(Effect.provide(layer))
  })
})
