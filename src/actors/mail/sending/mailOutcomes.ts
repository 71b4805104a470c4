/**
 * What can become of one try to send a mail: sent, to be tried again, postponed, given up, or struck off. Each function here counts
 * the outcome, logs it unless the mail was sent, and returns the write that records it as an Effect that has not run yet. The postman runs the write,
 * and runs it again if it fails.
 */
import { Clock, Effect, type Cause } from "effect"
import { isCustomerMail } from "../../../schema/mail/mailKinds.ts"
import { Ids } from "../../kernel/Ids.ts"
import { currentMeter } from "../../kernel/Meter.ts"
import type { MailNotSent, MailRefused } from "../Mailer.ts"
import { MailStandings } from "../allowances/MailStandings.ts"
import { MailStore, type GivenUp, type TakenMail } from "../MailStore.ts"
import { nextTry } from "./retrySchedule.ts"
import { timestamp } from "../../../schema/moment.ts"
import { MailId } from "../../../schema/ids.ts"

export const makeMailOutcomes = Effect.gen(function* () {
  const store = yield* MailStore
  const standings = yield* MailStandings
  const ids = yield* Ids
  const meter = yield* currentMeter

  const counted = (outcome: "SENT" | "FAILED" | "POSTPONED" | "GIVEN_UP" | "STRUCK_OFF") =>
    Effect.sync(() => meter.count("journeys_mails_total", { outcome })).pipe(
      Effect.andThen(Effect.annotateCurrentSpan("mail.outcome", outcome)),
      Effect.andThen(Clock.currentTimeMillis)
    )

  const sent = ({ id }: TakenMail) => Effect.map(counted("SENT"), (now) => store.sent(id, now))

  /** The built-in mailbox has recorded it in the statement that keeps it. */
  const kept = Effect.as(counted("SENT"), Effect.void)

  const givenUp = (
    { company, id, kind, tries }: TakenMail,
    why: Cause.Cause<unknown> | string,
    { isRefused, note }: GivenUp = { isRefused: false, note: null }
  ) =>
    Effect.logError("A mail is given up", { mailId: id, kind, tries }, why).pipe(
      Effect.andThen(counted("GIVEN_UP")),
      Effect.map((now) => {
        const recorded = store.givenUp({ id, tries }, now, { isRefused, note })
        return isRefused ? Effect.andThen(recorded, standings.judge(company.id, now)) : recorded
      })
    )

  /** The team hears of a customer's mail that never arrives (M7), and of no other mail. */
  const undeliverable = (mail: TakenMail, reason: string, isRefused = false) =>
    givenUp(mail, reason, {
      note: isCustomerMail(mail.kind) ? { id: MailId.make(ids.next()), mail: mail.kind } : null,
      isRefused
    })

  const struckOff = ({ id, kind, tries }: TakenMail, reason: string) =>
    Effect.logInfo("A mail is struck off", { mailId: id, kind }, reason).pipe(
      Effect.andThen(counted("STRUCK_OFF")),
      Effect.map((now) => store.struckOff({ id, tries }, now))
    )

  const postponed = ({ id, kind, tries }: TakenMail, until: number, reason: string) =>
    Effect.logInfo("A mail waits", { mailId: id, kind, until: timestamp(until) }, reason).pipe(
      Effect.andThen(counted("POSTPONED")),
      Effect.as(store.postponed({ id, tries }, until))
    )

  /** The mail is tried again when the schedule says so, or given up when the schedule has ended or the server refused it. */
  const failed = (mail: TakenMail, failure: MailRefused | MailNotSent) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { id, kind, tries } = mail
      const dueAt = failure._tag === "MailRefused" ? null : nextTry(tries, now)
      if (dueAt === null) {
        return undeliverable(mail, failure.reason, failure._tag === "MailRefused")
      }
      const facts = { mailId: id, kind, tries, again: timestamp(dueAt) }
      return Effect.logWarning("A mail was not sent; it is tried again", facts, failure.reason).pipe(
        Effect.andThen(counted("FAILED")),
        Effect.as(store.again(mail, dueAt))
      )
    })

  return { sent, kept, failed, givenUp, postponed, struckOff, undeliverable }
})
