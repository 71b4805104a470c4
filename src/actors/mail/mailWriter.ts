/**
 * Words a mail that is due and finds its recipient, at the moment of sending: a mail that has waited says what is true now,
 * or is not sent. Mail of a test journey goes to the company's administrator (§5.6, decision S8). Mail to a customer who
 * was erased goes nowhere. The words stand in `wording`; `sendMail.ts` sends the mail.
 */
import { Clock, Duration, Effect, Schema } from "effect"
import { isCustomerStep, type CustomerStep } from "../../schema/journey/steps.ts"
import { Mail, type CustomerMail } from "../../schema/mail/mailKinds.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { clockOf } from "../journey/rules/timers.ts"
import { linkPath } from "../customer/appPaths.ts"
import { SignInLinks } from "../customer/SignInLinks.ts"
import { makeAccessMailWriter } from "./accessMailWriter.ts"
import { makeMemberMailWriter } from "./memberMailWriter.ts"
import { makeRemovalMailWriter } from "./removalMailWriter.ts"
import { endedAddress } from "./endedAddress.ts"
import { isStale } from "./isStale.ts"
import { mailLimits } from "./limits.ts"
import { MailNotSent, type MailMessage } from "./Mailer.ts"
import type { TakenMail } from "./MailStore.ts"
import { Recipients, type MailContext } from "./Recipients.ts"
import { ServiceAddress } from "./ServiceAddress.ts"
import { newsEmail, stepEmail } from "./wording/customer.ts"
import { makeTeamMailWriter } from "./teamMailWriter.ts"
import { dealerEmail } from "./wording/dealer.ts"
import { endpointEmail } from "./wording/endpoint.ts"
import { markedTest } from "./wording/markedTest.ts"
import { standingEmail } from "./wording/standing.ts"
import { teamEmail, undeliveredEmail } from "./wording/team.ts"
import { unlinked } from "./wording/unlinked.ts"
import type { MailId } from "../../schema/ids.ts"

export type WrittenMail =
  | { readonly _tag: "Message"; readonly message: MailMessage; readonly isTest: boolean }
  /** The customer is still here: the mail is looked at again at `until`. */
  | { readonly _tag: "Waits"; readonly until: number }
  /** The mail must not go to the address on file. The team is told, as of any mail to a customer that does not arrive. */
  | { readonly _tag: "Undeliverable"; readonly reason: string }
  /** Nothing is sent; `reason` is for the log. */
  | { readonly _tag: "OutOfDate"; readonly reason: string }

/** The service's name beside the company's, as the recipient sees the sender (decision M5). */
const service = "Journeys"

const customerAwayMillis = Duration.toMillis(mailLimits.customerAwayFor)

const readMail = Schema.decodeUnknownEffect(Mail)

const outOfDate = (reason: string): WrittenMail => ({ _tag: "OutOfDate", reason })

/** What the writers of mail to a company's own people answer. */
const asWritten = (
  written: { readonly message: MailMessage; readonly isTest?: boolean } | { readonly outOfDate: string }
): WrittenMail =>
  "outOfDate" in written ? outOfDate(written.outOfDate) : { _tag: "Message", isTest: false, ...written }

export const makeMailWriter = Effect.gen(function* () {
  const recipients = yield* Recipients
  const { baseUrl } = yield* ServiceAddress
  const toCustomer = yield* makeCustomerWriter
  const toMember = yield* makeMemberMailWriter
  const toTeam = yield* makeTeamMailWriter
  const toOwners = yield* makeAccessMailWriter
  const toRemoved = yield* makeRemovalMailWriter

  const contextOf = (mailId: MailId) =>
    recipients
      .find(mailId)
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its journey was not found out: ${_tag}` })))

  /** Fails with `MailNotSent` when a later try may succeed, and with `SchemaError` when no try can read the facts. */
  return Effect.fnUntraced(function* (
    taken: TakenMail
  ): Effect.fn.Return<WrittenMail, MailNotSent | Schema.SchemaError> {
    const { company, facts, id: mailId, kind } = taken
    const mail = yield* readMail({ kind, facts })
    switch (mail.kind) {
      case "ENDPOINT_FAILING":
      case "ENDPOINT_OFF":
        return asWritten(yield* toTeam("OWNERS", taken, endpointEmail(mail, company, baseUrl)))
      case "ACCESS_CHANGED":
        return asWritten(yield* toOwners(taken, mail))
      case "MEMBER_REMOVED":
        return asWritten(yield* toRemoved(taken, mail))
      case "MAIL_LIMITED":
      case "MAIL_STOPPED":
        return asWritten(yield* toTeam("OWNERS", taken, standingEmail(mail, company, baseUrl)))
    }
    if (mail.kind === "INVITATION" || mail.kind === "SIGN_IN") {
      return asWritten(yield* toMember(taken, mail))
    }
    const context = yield* contextOf(mailId)
    if (context === null) return outOfDate("there is no such journey")
    const { journey } = context
    const about = { ...context, baseUrl }
    if (mail.kind === "MAIL_UNDELIVERED") {
      return asWritten(yield* toTeam("TEAM", taken, undeliveredEmail(mail.facts.mail, about), journey))
    }
    if (mail.kind === "DEALER_NAMED") {
      if (journey.status !== "ACTIVE") return outOfDate("the handover is over")
      return asWritten(yield* toTeam("TEAM", taken, dealerEmail(about), journey))
    }
    if (isStale(mail.kind, journey)) return outOfDate("the journey has moved on")
    switch (mail.kind) {
      case "REVIEW_NEEDED":
      case "CHECK_UNAVAILABLE":
      case "SUBMISSION_FAILED":
        return asWritten(yield* toTeam("TEAM", taken, teamEmail(mail.kind, about), journey))
      default:
        return yield* toCustomer(taken, mail, context)
    }
  })
})

const makeCustomerWriter = Effect.gen(function* () {
  const links = yield* SignInLinks
  const { baseUrl } = yield* ServiceAddress

  const linkOf = Effect.fnUntraced(function* (mailId: MailId, journey: Journey, step: CustomerStep) {
    if (baseUrl === null) return yield* new MailNotSent({ reason: "the service's own address is not known" })
    const token = yield* links
      .issue({ mailId, journeyId: journey.id, step, clock: clockOf(journey) })
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its link was not issued: ${_tag}` })))
    return `${baseUrl}${linkPath(token)}`
  })

  return Effect.fnUntraced(function* (
    { company, id: mailId }: TakenMail,
    { facts, kind }: CustomerMail,
    { customer, isSuperseded, journey, lastSeen }: MailContext
  ): Effect.fn.Return<WrittenMail, MailNotSent> {
    if (isCustomerStep(kind) && isSuperseded) return outOfDate("a later mail asks for the same")
    if (customer === null) return outOfDate("the customer was erased")
    const until = facts.waits === true && lastSeen !== null ? lastSeen + customerAwayMillis : 0
    if (until > (yield* Clock.currentTimeMillis)) return { _tag: "Waits", until }
    const isTest = !journey.livemode
    if (customer.isAddressEnded && !isTest) {
      return { _tag: "Undeliverable", reason: "the address on file was corrected after the backup that was restored" }
    }
    if (isTest && company.adminEmail === endedAddress) return outOfDate("the administrator's address has ended")
    const addressee = { ...customer, company: company.name, brand: company.brand }
    const email = isCustomerStep(kind)
      ? stepEmail(kind, facts, addressee, yield* linkOf(mailId, journey, kind))
      : newsEmail(kind, addressee, journey)
    return {
      _tag: "Message",
      isTest,
      message: {
        mailId,
        to: isTest ? company.adminEmail : customer.email,
        onBehalf: { name: `${unlinked(company.name)} via ${service}`, replyTo: company.adminEmail },
        email: isTest ? markedTest(email, customer.email) : email,
        customerKey: customer.key
      }
    }
  })
})
