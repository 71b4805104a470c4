/**
 * Works off the mail that is due: claims it, has it sent (`sendMail.ts`), and records what became of it. One cause makes one
 * mail. A node that dies between sending a mail and recording that sends it again, under the same mail id; the mailer makes
 * the mail id the Message-ID, so that mailboxes can fold the two. Mail that waits for a slow server uses up its company's share of
 * the places (`mailPlaces.ts`) and delays nothing else.
 */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { isMemberMail, MailKind } from "../../../schema/mail/mailKinds.ts"
import { isCustomerStep } from "../../../schema/journey/steps.ts"
import { startDueWork } from "../../kernel/DueWork.ts"
import { linksTo, whenTraced } from "../../kernel/Trace.ts"
import { recordOutcome } from "../../kernel/recordOutcome.ts"
import { mailLimits } from "../limits.ts"
import { Mailbox } from "../Mailbox.ts"
import { MailStore, sharerOf, type TakenMail } from "../MailStore.ts"
import { makeMailPlaces, unsharedPlaces } from "../mailPlaces.ts"
import { makeSendMail } from "./sendMail.ts"
import { ServiceAddress } from "../ServiceAddress.ts"

const recordAgain = Schedule.spaced(mailLimits.recordAgainEvery).pipe(
  Schedule.upTo({ duration: mailLimits.recordAgainFor })
)

/** A mail that has a place, and how long one try may take there; null: the mailer ends each try itself. */
interface MailInHand {
  readonly mail: TakenMail
  readonly within: Duration.Duration | null
}

const takenForMillis = Duration.toMillis(mailLimits.takenFor)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* MailStore
    const { list: mailbox } = yield* Mailbox
    const { baseUrl } = yield* ServiceAddress
    const places = mailbox === null ? makeMailPlaces() : unsharedPlaces
    const send = yield* makeSendMail(places)

    const kinds = MailKind.literals.filter((kind) => baseUrl !== null || !(isCustomerStep(kind) || isMemberMail(kind)))
    if (baseUrl === null) {
      yield* Effect.logWarning("Mail with a link waits: the service's own address is not known. Set BASE_URL or PORT")
    }

    yield* startDueWork<MailInHand>({
      name: "Owed mails",
      lookEvery: mailLimits.lookEvery,
      concurrency: places.count,
      look: ({ most, now }) => {
        const room = places.room(most)
        return Effect.map(store.take({ now, until: now + takenForMillis, kinds, room }), (mails) =>
          mails.map((mail) => {
            places.take(sharerOf(mail))
            return { mail, within: room.within }
          })
        )
      },
      isHeldBack: places.isHeldBack,
      // Every claim of a mail is an attempt of its own.
      keyOf: ({ mail: { id, tries } }) => `${id} ${tries}`,
      run: ({ mail, within }) =>
        recordOutcome({
          attempt: send(mail, within),
          giveBack: Effect.flatMap(Clock.currentTimeMillis, (now) => store.again(mail, now)),
          recordAgain,
          onLost: (error) =>
            Effect.logWarning("What became of a mail is not recorded; it may come twice", { mailId: mail.id }, error)
        }).pipe(inSpan(mail), Effect.ensuring(Effect.sync(() => places.leave(sharerOf(mail)))))
    })
  })
)

/** One try is a trace of its own, linked to what caused the mail. It names no address. */
const inSpan = ({ id, journeyId, kind, traceparent, tries }: TakenMail) =>
  whenTraced((sending: Effect.Effect<void>) => {
    const about = journeyId === null ? {} : { "journey.id": journeyId }
    const attributes = { "mail.id": id, "mail.kind": kind, "mail.attempt": tries, ...about }
    const span = { root: true, kind: "consumer", links: linksTo(traceparent), attributes } as const
    return Effect.annotateSpans(sending, about).pipe(
      Effect.withSpan("Postman.send", span, { captureStackTrace: false })
    )
  })
