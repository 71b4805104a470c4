/**
 * One try to send one mail that is due: have it written, and hand it to the mailer. The result is a write that records
 * what became of the mail (`mailOutcomes.ts`). Which mail is due, and that the outcome is recorded, is the postman's work.
 */
import { Cause, Clock, Duration, Effect, Option, Random } from "effect"
import { isMailToOthers } from "../../schema/mail/mailKinds.ts"
import { mailLimits } from "./limits.ts"
import { MailAllowances, type CompanyHold } from "./MailAllowances.ts"
import { Mailbox } from "./Mailbox.ts"
import { Mailer, MailNotSent, type MailMessage } from "./Mailer.ts"
import { makeMailOutcomes } from "./mailOutcomes.ts"
import type { MailPlaces } from "./mailPlaces.ts"
import { sharerOf, type TakenMail } from "./MailStore.ts"
import { makeMailWriter } from "./mailWriter.ts"
import { nextPlace } from "./nextPlace.ts"
import { makeTestMailAllowance } from "./testMailAllowance.ts"

export const makeSendMail = Effect.fnUntraced(function* ({ timed }: Pick<MailPlaces, "timed">) {
  const mailer = yield* Mailer
  const { list: mailbox } = yield* Mailbox
  const write = yield* makeMailWriter
  const { failed, givenUp, kept, postponed, sent, struckOff, undeliverable } = yield* makeMailOutcomes
  const waitsUntil = yield* makeWaitsUntil
  const isAllowed = makeTestMailAllowance()
  // Mail in the built-in mailbox floods nobody: neither an address nor a company has too much of it.
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

  const sendNow = (mail: TakenMail, within: Duration.Duration | null) =>
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
          if (written._tag === "Waits") return postponed(mail, written.until, "its customer is still here")
          if (written.isTest && !isKept && !isAllowed(mail.company.id, now)) {
            return struckOff(mail, "the company has had its test mail of this hour")
          }
          return handOver(mail, written.message, within)
        })
    })

  // Asked before the mail is written: a link that is made voids the one that the customer has.
  return (mail: TakenMail, within: Duration.Duration | null) =>
    Effect.matchEffect(isKept ? Effect.succeed(null) : waitsUntil(mail), {
      onFailure: (failure) => failed(mail, failure),
      onSuccess: (wait) => (wait === null ? sendNow(mail, within) : postponed(mail, wait.until, wait.why))
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

interface Wait {
  readonly until: number
  readonly why: string
}

const hourOfStopped = Duration.toMillis(mailLimits.stoppedAsksEvery)
const spread = Duration.toMillis(mailLimits.heldSpreadOver)

/** Mails that wait for one moment do not all come back at it. */
const heldUntil = (held: CompanyHold, now: number): Effect.Effect<Wait> =>
  Effect.map(Effect.map(Random.nextBetween(0, spread), Math.floor), (later) =>
    held._tag === "Stopped"
      ? { until: now + hourOfStopped + later, why: "the mail of its company was stopped" }
      : { until: Math.max(held.freeAt, now) + later, why: "its company has sent the mails of the day" }
  )

/** Until when a mail to somebody outside waits; null: it may leave (decision M9). */
const makeWaitsUntil = Effect.gen(function* () {
  const allowances = yield* MailAllowances
  return Effect.fnUntraced(function* ({ id, kind }: TakenMail): Effect.fn.Return<Wait | null, MailNotSent> {
    if (!isMailToOthers(kind)) return null
    const now = yield* Clock.currentTimeMillis
    const allowance = yield* allowances
      .admit(id, now)
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its address was not counted: ${_tag}` })))
    if (allowance === null || allowance.isAdmitted) return null
    if (allowance.held !== null) return yield* heldUntil(allowance.held, now)
    return { until: nextPlace(allowance.counted), why: "its address has had enough mail for now" }
  })
})
