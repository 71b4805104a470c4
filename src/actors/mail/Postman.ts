/**
 * Works off the mail that is due: takes it, has it sent (`sendMail.ts`), and records what became of it. One cause makes one
 * mail. A node that dies between sending a mail and recording that sends it again, under the same mail id; the mailer makes
 * the mail id the Message-ID, so that mailboxes can fold the two. Mail that waits for a slow server uses up a few hands of
 * this postman and delays nothing else.
 */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { MailKind } from "../../schema/mail/mailKinds.ts"
import { isCustomerStep } from "../../schema/journey/steps.ts"
import { pollStatusOf } from "../kernel/PollStatus.ts"
import { mailLimits } from "./limits.ts"
import { Mailbox } from "./Mailbox.ts"
import { MailStore, type TakenMail } from "./MailStore.ts"
import { makeSendMail } from "./sendMail.ts"
import { ServiceAddress } from "./ServiceAddress.ts"

const recordAgain = Schedule.spaced(mailLimits.recordAgainEvery).pipe(
  Schedule.upTo({ duration: mailLimits.recordAgainFor })
)

const takenForMillis = Duration.toMillis(mailLimits.takenFor)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* MailStore
    const { list: mailbox } = yield* Mailbox
    const { baseUrl } = yield* ServiceAddress
    const send = yield* makeSendMail
    const scope = yield* Effect.scope

    const kinds = MailKind.literals.filter((kind) => baseUrl !== null || !isCustomerStep(kind))
    if (baseUrl === null) {
      yield* Effect.logWarning("Mail with a link waits: the service's own address is not known. Set BASE_URL or PORT")
    }

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
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        store.take({ now, until: now + takenForMillis, kinds, most })
      ).pipe(
        Effect.tap(() => pollStatus.ok),
        // Whatever it was, the next look must come: without one no mail ever leaves again.
        Effect.catchCause((cause) => Effect.as(pollStatus.failed(cause), []))
      )

    const hands = mailbox === null ? mailLimits.mostInHand : mailLimits.mostKeptAtOnce
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
    yield* Effect.forkScoped(Effect.repeat(Effect.forkIn(work, scope), Schedule.spaced(mailLimits.lookEvery)))
  })
)
