/**
 * Words a mail that is due and finds its recipient, at the moment of sending: a mail that has waited says what is true now,
 * or is not sent. Mail of a test journey goes to the company's administrator (§5.6, decision S8). Mail to a customer who
 * was erased goes nowhere. The words stand in `wording`; `sendMail.ts` sends the mail.
 */
import { Effect, Schema } from "effect"
import { Mail } from "../../../schema/mail/mailKinds.ts"
import { makeAccessMailWriter } from "./accessMailWriter.ts"
import { makeCustomerMailWriter } from "./customerMailWriter.ts"
import { makeMemberMailWriter } from "./memberMailWriter.ts"
import { makeRemovalMailWriter } from "./removalMailWriter.ts"
import { isStale } from "./isStale.ts"
import { makeMailHolds } from "../allowances/mailHolds.ts"
import { MailNotSent, type MailMessage } from "../Mailer.ts"
import type { TakenMail } from "../MailStore.ts"
import { Recipients } from "../Recipients.ts"
import { ServiceAddress } from "../ServiceAddress.ts"
import { outOfDate, type WrittenMail } from "../WrittenMail.ts"
import { makeTeamMailWriter } from "./teamMailWriter.ts"
import { dealerEmail } from "../wording/dealer.ts"
import { endpointEmail } from "../wording/endpoint.ts"
import { standingEmail } from "../wording/standing.ts"
import { teamEmail, undeliveredEmail } from "../wording/team.ts"
import type { MailId } from "../../../schema/ids.ts"

const readMail = Schema.decodeUnknownEffect(Mail)

/** What the writers of mail to a company's own people answer. */
const asWritten = (
  written: { readonly message: MailMessage; readonly isTest?: boolean } | { readonly outOfDate: string }
): WrittenMail =>
  "outOfDate" in written ? outOfDate(written.outOfDate) : { _tag: "Message", isTest: false, ...written }

export const makeMailWriter = Effect.gen(function* () {
  const recipients = yield* Recipients
  const { baseUrl } = yield* ServiceAddress
  const toCustomer = yield* makeCustomerMailWriter
  const toMember = yield* makeMemberMailWriter
  const toTeam = yield* makeTeamMailWriter
  const toOwners = yield* makeAccessMailWriter
  const toRemoved = yield* makeRemovalMailWriter
  const holdOf = yield* makeMailHolds

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
      const written = yield* toMember(taken, mail, holdOf(taken))
      return "_tag" in written ? written : asWritten(written)
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
        return yield* toCustomer.leaving(taken, mail, context, holdOf(taken))
    }
  })
})
