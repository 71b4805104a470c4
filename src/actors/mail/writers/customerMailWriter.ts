/**
 * Words mail to customers. A mail that is about to leave says what is true now, or is not sent. A mail that has left, into the built-in mailbox, is
 * worded as it left: what the journey waits for by now does not concern it, and its link began when it left. The words stand in
 * `wording/customer.ts`.
 */
import { Clock, Duration, Effect } from "effect"
import { isCustomerStep, type CustomerStep } from "../../../schema/journey/steps.ts"
import type { CustomerMail } from "../../../schema/mail/mailKinds.ts"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { clockOf } from "../../journey/rules/timers.ts"
import { linkPath } from "../../customer/appPaths.ts"
import { customerLimits } from "../../customer/limits.ts"
import { SignInLinks } from "../../customer/SignInLinks.ts"
import { endedAddress } from "./endedAddress.ts"
import { mailLimits } from "../limits.ts"
import { MailNotSent, type MailMessage } from "../Mailer.ts"
import type { TakenMail } from "../MailStore.ts"
import type { MailContext, MailRecipient } from "../Recipients.ts"
import { ServiceAddress } from "../ServiceAddress.ts"
import { outOfDate, waits, type WaitingMail, type WrittenMail } from "../WrittenMail.ts"
import { newsEmail, stepEmail, timeForStep } from "../wording/customer.ts"
import { markedTest } from "../wording/markedTest.ts"
import { unlinked } from "../wording/unlinked.ts"
import type { MailId } from "../../../schema/ids.ts"

/** The service's name beside the company's, as the recipient sees the sender (decision M5). */
const service = "Journeys"

const linkLifetimeMillis = Duration.toMillis(customerLimits.linkLifetime)
const customerAwayMillis = Duration.toMillis(mailLimits.customerAwayFor)

type OwedMail = Pick<TakenMail, "company" | "id">

/** Why the mail must not go to the address that it would go to; null: it may. */
export const withheldFrom = (
  { company }: OwedMail,
  { livemode }: Journey,
  { isAddressEnded }: MailRecipient
): WrittenMail | null => {
  if (livemode) {
    const reason = "the address on file was corrected after the backup that was restored"
    return isAddressEnded ? { _tag: "Undeliverable", reason } : null
  }
  return company.adminEmail === endedAddress ? outOfDate("the administrator's address has ended") : null
}

export const makeCustomerMailWriter = Effect.gen(function* () {
  const links = yield* SignInLinks
  const { baseUrl } = yield* ServiceAddress

  const linkOf = Effect.fnUntraced(function* (mailId: MailId, journey: Journey, step: CustomerStep, leftAt: number) {
    if (baseUrl === null) return yield* new MailNotSent({ reason: "the service's own address is not known" })
    const token = yield* links
      .issue({ mailId, journeyId: journey.id, step, clock: clockOf(journey), issuedAt: leftAt })
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its link was not issued: ${_tag}` })))
    // A link that lives by a test clock has its end there: the mail says only how long it works.
    const until = clockOf(journey) === null ? leftAt + linkLifetimeMillis : null
    return { url: `${baseUrl}${linkPath(token)}`, until }
  })

  const worded = Effect.fnUntraced(function* (
    { company, id: mailId }: OwedMail,
    { facts, kind }: CustomerMail,
    journey: Journey,
    customer: MailRecipient,
    leftAt: number
  ): Effect.fn.Return<MailMessage, MailNotSent> {
    const isTest = !journey.livemode
    const addressee = { ...customer, company: company.name, brand: company.brand }
    const email = isCustomerStep(kind)
      ? stepEmail(
          kind,
          { ...timeForStep(kind, journey), ...facts },
          addressee,
          yield* linkOf(mailId, journey, kind, leftAt)
        )
      : newsEmail(kind, addressee, journey)
    return {
      mailId,
      to: isTest ? company.adminEmail : customer.email,
      onBehalf: { name: `${unlinked(company.name)} via ${service}`, replyTo: company.adminEmail },
      email: isTest ? markedTest(email, customer.email) : email,
      customerKey: customer.key
    }
  })

  /** `hold` is asked last, and before a link is made: a mail that is never sent must take no place of its address (M9). */
  const leaving = Effect.fnUntraced(function* (
    owed: OwedMail,
    mail: CustomerMail,
    { customer, isSuperseded, journey, lastSeen }: MailContext,
    hold: Effect.Effect<WaitingMail | null, MailNotSent>
  ): Effect.fn.Return<WrittenMail, MailNotSent> {
    if (isCustomerStep(mail.kind) && isSuperseded) return outOfDate("a later mail asks for the same")
    if (customer === null) return outOfDate("the customer was erased")
    const now = yield* Clock.currentTimeMillis
    const until = mail.facts.waits === true && lastSeen !== null ? lastSeen + customerAwayMillis : 0
    if (until > now) return waits(until, "its customer is still here")
    const withheld = withheldFrom(owed, journey, customer)
    if (withheld !== null) return withheld
    const held = yield* hold
    if (held !== null) return held
    return { _tag: "Message", isTest: !journey.livemode, message: yield* worded(owed, mail, journey, customer, now) }
  })

  return { leaving, worded }
})
