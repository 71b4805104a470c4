/**
 * One try to send one mail that is due: have it written, and hand it to the mailer. The result is a write that records
 * what became of the mail (`mailOutcomes.ts`). Which mail is due, and that the outcome is recorded, is the postman's work.
 */
import { Cause, Clock, Duration, Effect, Option } from "effect"
import { mailLimits } from "./limits.ts"
import { Mailbox } from "./Mailbox.ts"
import { Mailer, MailNotSent, type MailMessage } from "./Mailer.ts"
import { makeMailOutcomes } from "./mailOutcomes.ts"
import type { TakenMail } from "./MailStore.ts"
import { makeMailWriter } from "./mailWriter.ts"
import { makeTestMailAllowance } from "./testMailAllowance.ts"

export const makeSendMail = Effect.gen(function* () {
  const mailer = yield* Mailer
  const { list: mailbox } = yield* Mailbox
  const write = yield* makeMailWriter
  const { failed, givenUp, sent, struckOff } = yield* makeMailOutcomes
  const isAllowed = makeTestMailAllowance()

  const handOver = (mail: TakenMail, message: MailMessage) =>
    mailer.send(message).pipe(
      Effect.timeoutOrElse({
        duration: mailLimits.sendWithin,
        orElse: () => Effect.fail(new MailNotSent({ reason: `not done in ${Duration.format(mailLimits.sendWithin)}` }))
      }),
      Effect.catchDefect((defect) =>
        Effect.logError("Sending a mail failed unexpectedly", { mailId: mail.id }, Cause.die(defect)).pipe(
          Effect.andThen(Effect.fail(new MailNotSent({ reason: "a mistake of the service's own" })))
        )
      ),
      Effect.matchEffect({ onFailure: (failure) => failed(mail, failure), onSuccess: () => sent(mail) })
    )

  return (mail: TakenMail) =>
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
          // Mail in the built-in mailbox floods nobody.
          const isKept = mailbox !== null
          if (written.isTest && !isKept && !isAllowed(mail.company.id, now)) {
            return struckOff(mail, "the company has had its test mail of this hour")
          }
          return handOver(mail, written.message)
        })
    })
})
