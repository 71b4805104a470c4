/**
 * Works off the mail that is due: has it written, hands it to the mailer, and records what became of it. One cause is
 * one mail; but whoever dies between handing it over and recording that hands it over again, under the same mail id,
 * which the mailer makes the Message-ID so that mailboxes can fold the two. Mail that is out of date is struck off.
 *
 * Mail that waits for a slow server holds up a few hands of this page and nothing else.
 */
import { Cause, Clock, Duration, Effect, Layer, Option, Schedule } from "effect"
import { isCustomerMail, MailKind } from "../../schema/mail/mailKinds.ts"
import { timestamp } from "../company/resources.ts"
import { currentMeter } from "../kernel/Meter.ts"
import { customerSteps } from "../customer/customerStep.ts"
import { Ids } from "../kernel/Ids.ts"
import { Mailbox } from "./Mailbox.ts"
import { Mailer, MailNotSent, type MailMessage, type MailRefused } from "./Mailer.ts"
import { MailStore, type TakenMail, type UndeliveredNote } from "./MailStore.ts"
import { nextTry } from "./retrySchedule.ts"
import { ServiceAddress } from "./ServiceAddress.ts"
import { pollStatusOf } from "../kernel/PollStatus.ts"
import { makeAllowance } from "./testMailAllowance.ts"
import { makeWriter } from "./mailWriter.ts"

const lookEvery = "1 second"

/** Mail being handed over at once: a server that hangs leaves room for the next, one that works is not flooded. */
export const mostInHand = 4

/** Mail that is only kept waits for nobody: so many share each statement, and no more, for starts come first. */
const mostKeptAtOnce = 8

/** One try, whatever the other side does. */
const sendWithin = Duration.seconds(60)

/** How long and how often an outcome is tried to be recorded; after that the mail goes out a second time. */
const recordAgain = Schedule.spaced("250 millis").pipe(Schedule.upTo({ duration: "15 seconds" }))

/** For so long a mail is nobody else's: longer than a try and its record, so that it runs out only on the dead. */
const takenFor = Duration.toMillis(Duration.minutes(2))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* MailStore
    const mailer = yield* Mailer
    const { list: mailbox } = yield* Mailbox
    const { baseUrl } = yield* ServiceAddress
    const ids = yield* Ids
    const meter = yield* currentMeter
    const write = yield* makeWriter
    const isAllowed = makeAllowance()
    const tried = (outcome: "SENT" | "FAILED" | "GIVEN_UP" | "STRUCK_OFF") =>
      Effect.sync(() => meter.count("journeys_mails_total", { outcome }))
    const scope = yield* Effect.scope

    const kinds = MailKind.literals.filter((kind) => baseUrl !== null || !customerSteps.some((step) => step === kind))
    if (baseUrl === null) {
      yield* Effect.logWarning("Mail with a link waits: the service's own address is not known. Set BASE_URL or PORT")
    }

    /** Like the next three, says in the log what is to be recorded and answers with the record, which may take tries. */
    const givenUp = (
      { id, kind, tries }: TakenMail,
      why: Cause.Cause<unknown> | string,
      note: UndeliveredNote | null = null
    ) =>
      Effect.logError("A mail is given up", { mailId: id, kind, tries }, why).pipe(
        Effect.andThen(tried("GIVEN_UP")),
        Effect.andThen(Clock.currentTimeMillis),
        Effect.map((now) => store.givenUp({ id, tries }, now, note))
      )

    const struckOff = ({ id, kind, tries }: TakenMail, reason: string) =>
      Effect.logInfo("A mail is struck off", { mailId: id, kind }, reason).pipe(
        Effect.andThen(tried("STRUCK_OFF")),
        Effect.andThen(Clock.currentTimeMillis),
        Effect.map((now) => store.struckOff({ id, tries }, now))
      )

    const failed = (mail: TakenMail, failure: MailRefused | MailNotSent) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { id, kind, tries } = mail
        const dueAt = failure._tag === "MailRefused" ? null : nextTry(tries, now)
        // The team is told of a customer's mail that never arrives (M7), and of nobody else's.
        const note = isCustomerMail(kind) ? { id: ids.next(), mail: kind } : null
        if (dueAt === null) return givenUp(mail, failure.reason, note)
        const facts = { mailId: id, kind, tries, again: timestamp(dueAt) }
        return Effect.as(
          Effect.andThen(
            Effect.logWarning("A mail was not sent; it is tried again", facts, failure.reason),
            tried("FAILED")
          ),
          store.again(mail, dueAt)
        )
      })

    const handOver = (mail: TakenMail, message: MailMessage) =>
      mailer.send(message).pipe(
        Effect.timeoutOrElse({
          duration: sendWithin,
          orElse: () => Effect.fail(new MailNotSent({ reason: `not done in ${Duration.format(sendWithin)}` }))
        }),
        Effect.catchDefect((defect) =>
          Effect.logError("Sending a mail failed unexpectedly", { mailId: mail.id }, Cause.die(defect)).pipe(
            Effect.andThen(Effect.fail(new MailNotSent({ reason: "a mistake of the service's own" })))
          )
        ),
        Effect.matchEffect({
          onFailure: (failure) => failed(mail, failure),
          onSuccess: () =>
            Effect.map(Effect.andThen(tried("SENT"), Clock.currentTimeMillis), (now) => store.sent(mail.id, now))
        })
      )

    /** One try. */
    const send = (mail: TakenMail) =>
      Effect.matchCauseEffect(write(mail), {
        onFailure: (cause) => {
          const failure = Cause.findErrorOption(cause)
          return Option.isSome(failure) && failure.value._tag === "MailNotSent"
            ? failed(mail, failure.value)
            : // Our own mistake, or damage: no later try can read it either.
              givenUp(mail, cause)
        },
        onSuccess: (written) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            if (written._tag === "OutOfDate") return struckOff(mail, written.reason)
            // What is only kept floods nobody.
            const isKept = mailbox !== null
            if (written.isTest && !isKept && !isAllowed(mail.company.id, now)) {
              return struckOff(mail, "the company has had its test mail of this hour")
            }
            return handOver(mail, written.message)
          })
      })

    /** A stop ends a try, but not the first record of one that was made; a mail cut off is due again at once. */
    const deliver = (mail: TakenMail) =>
      Effect.uninterruptibleMask((restore) =>
        restore(send(mail)).pipe(
          Effect.onInterrupt(() =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ignore(store.again(mail, now)))
          ),
          Effect.flatMap((record) => record.pipe(Effect.catch(() => restore(Effect.retry(record, recordAgain))))),
          Effect.catch((error) =>
            Effect.logWarning("What became of a mail is not recorded; it may come twice", { mailId: mail.id }, error)
          )
        )
      )

    const pollStatus = pollStatusOf("Owed mails")

    const take = (most: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => store.take({ now, until: now + takenFor, kinds, most })).pipe(
        Effect.tap(() => pollStatus.ok),
        // Whatever it was, the next look must come: without one no mail ever leaves again.
        Effect.catchCause((cause) => Effect.as(pollStatus.failed(cause), []))
      )

    const hands = mailbox === null ? mostInHand : mostKeptAtOnce
    let inHand = 0
    let isLooking = false
    /** Takes mail for the hands that are free, and looks again when one of them is done. */
    const work: Effect.Effect<void> = Effect.suspend(() => {
      if (isLooking || inHand >= hands) return Effect.void
      isLooking = true
      return take(hands - inHand).pipe(
        // Counted before anybody else may look: no mail is taken for a hand that is not free.
        Effect.tap((mails) => Effect.sync(() => (inHand += mails.length))),
        Effect.ensuring(Effect.sync(() => (isLooking = false))),
        Effect.flatMap((mails) => {
          const begun = Effect.forEach(mails, begin, { discard: true })
          // Hands may have become free meanwhile.
          return mails.length === 0 ? begun : Effect.andThen(begun, work)
        })
      )
    })

    const inAHand = (mail: TakenMail) =>
      deliver(mail).pipe(
        Effect.ensuring(Effect.sync(() => (inHand -= 1))),
        // Hands that are done with one statement look together.
        Effect.andThen(Effect.yieldNow),
        Effect.andThen(work)
      )
    const begin = (mail: TakenMail) => Effect.forkIn(inAHand(mail), scope, { startImmediately: true })

    // A look must not wait for the mail it finds.
    yield* Effect.forkScoped(Effect.repeat(Effect.forkIn(work, scope), Schedule.spaced(lookEvery)))
  })
)
