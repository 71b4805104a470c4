/**
 * One try to send one mail that is due: have it written, and hand it to the mailer. The result is a write that records
 * what became of the mail (`mailOutcomes.ts`). Which mail is due, and that the outcome is recorded, is the postman's work.
 */
import { Cause, Clock, Duration, Effect, Option } from "effect"
import { Mailbox } from "../Mailbox.ts"
import { Mailer, MailNotSent, type MailMessage } from "../Mailer.ts"
import { makeMailOutcomes } from "./mailOutcomes.ts"
import type { MailPlaces } from "../mailPlaces.ts"
import { sharerOf, type TakenMail } from "../MailStore.ts"
import { makeMailWriter } from "../writers/mailWriter.ts"
import { makeTestMailAllowance } from "../allowances/testMailAllowance.ts"

export const makeSendMail = Effect.fnUntraced(function* ({ timed }: Pick<MailPlaces, "timed">) {
  const mailer = yield* Mailer
  const { list: mailbox } = yield* Mailbox
  const write = yield* makeMailWriter
  const { failed, givenUp, kept, postponed, sent, struckOff, undeliverable } = yield* makeMailOutcomes
  const isAllowed = makeTestMailAllowance()
  const isKept = mailbox !== null

  const handOver = (mail: TakenMail, message: MailMessage, within: Duration.Duration | null) =>
    endsWithin(within, timed(sharerOf(mail), mailer.send(message))).pipe(
      Effect.catchDefect((defect) =>
        Effect.logError("Sending a mail failed unexpectedly", { mailId: mail.id }, Cause.die(defect)).pipe(
          Effect.andThen(Effect.fail(new MailNotSent({ reason: "a mistake of the service's own" })))
        )
      ),
      Effect.matchEffect({
        onFailure: (failure) => failed(mail, failure),
        onSuccess: () => (isKept ? kept : sent(mail))
      })
    )

  return (mail: TakenMail, within: Duration.Duration | null) =>
    Effect.matchCauseEffect(write(mail), {
      onFailure: (cause) => {
        const failure = Cause.findErrorOption(cause)
        return Option.isSome(failure) && failure.value._tag === "MailNotSent"
          ? failed(mail, failure.value)
          : // A bug, or damaged facts: no later try can read the mail either.
            givenUp(mail, cause)
      },
      onSuccess: (written) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (written._tag === "OutOfDate") return struckOff(mail, written.reason)
          if (written._tag === "Undeliverable") return undeliverable(mail, written.reason)
          if (written._tag === "Waits") return postponed(mail, written.until, written.why)
          if (written.isTest && !isKept && !isAllowed(mail.company.id, now)) {
            return struckOff(mail, "the company has had its test mail of this hour")
          }
          return handOver(mail, written.message, within)
        })
    })
})

const endsWithin = <A, E>(
  within: Duration.Duration | null,
  sending: Effect.Effect<A, E>
): Effect.Effect<A, E | MailNotSent> =>
  within === null
    ? sending
    : Effect.timeoutOrElse(sending, {
        duration: within,
        orElse: () => Effect.fail(new MailNotSent({ reason: `not done in ${Duration.format(within)}` }))
      })
