/**
 * Puts a mail that is due into words and finds out whom it goes to, at the moment it is sent: a mail that waited says
 * what is so now, or nothing. Mail of a test journey goes to the company's administrator (§5.6, decision S8); mail to a
 * customer who was erased goes nowhere. Sending it, and what becomes of it, is the postman's.
 */
import { Effect, Schema } from "effect"
import { Mail, type CustomerMail } from "../../schema/mail/mailKinds.ts"
import { isCustomerStep, type CustomerStep } from "../../schema/journey/steps.ts"
import { linkPath } from "../customer/appPaths.ts"
import { SignInLinks } from "../customer/SignInLinks.ts"
import { newsLetter, stepLetter } from "./wording/customer.ts"
import { mailContent } from "./wording/endpoint.ts"
import { contentOf, oneLine, testMark, type Letter } from "./wording/Email.ts"
import { MailNotSent, type MailMessage } from "./Mailer.ts"
import type { TakenMail } from "./MailStore.ts"
import { Recipients, type Matter } from "./Recipients.ts"
import { ServiceAddress } from "./ServiceAddress.ts"
import { stillStands } from "./isStale.ts"
import { teamLetter, undeliveredLetter } from "./wording/team.ts"

export type Written =
  | { readonly _tag: "Message"; readonly message: MailMessage; readonly isTest: boolean }
  /** Nothing is to be sent; `reason` is for the log. */
  | { readonly _tag: "OutOfDate"; readonly reason: string }

/** Decision M5. */
const service = "Journeys"

const readMail = Schema.decodeUnknownEffect(Mail)

const outOfDate = (reason: string): Written => ({ _tag: "OutOfDate", reason })

export const makeMailWriter = Effect.gen(function* () {
  const recipients = yield* Recipients
  const links = yield* SignInLinks
  const { baseUrl } = yield* ServiceAddress

  const findMatter = (mailId: string) =>
    recipients
      .find(mailId)
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its journey was not found out: ${_tag}` })))

  const linkOf = Effect.fnUntraced(function* (mailId: string, journeyId: string, step: CustomerStep) {
    if (baseUrl === null) return yield* new MailNotSent({ reason: "the service's own address is not known" })
    const token = yield* links
      .issue({ mailId, journeyId, step })
      .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: `its link was not issued: ${_tag}` })))
    return `${baseUrl}${linkPath(token)}`
  })

  const toCustomer = Effect.fnUntraced(function* (
    { company, id: mailId }: TakenMail,
    { facts, kind }: CustomerMail,
    { customer, isSuperseded, journey }: Matter
  ): Effect.fn.Return<Written, MailNotSent> {
    if (isCustomerStep(kind) && isSuperseded) return outOfDate("a later mail asks for the same")
    if (customer === null) return outOfDate("the customer was erased")
    const addressee = { ...customer, company: company.name }
    const letter = isCustomerStep(kind)
      ? stepLetter(kind, facts.again, addressee, yield* linkOf(mailId, journey.id, kind))
      : newsLetter(kind, addressee)
    const isTest = !journey.livemode
    return {
      _tag: "Message",
      isTest,
      message: {
        mailId,
        to: isTest ? company.adminEmail : customer.email,
        onBehalf: { name: `${oneLine(company.name)} via ${service}`, replyTo: company.adminEmail },
        ...contentOf(isTest ? markedTest(letter, customer.email) : letter),
        customerKey: customer.key
      }
    }
  })

  /** Fails with what a later try may do better, and with what none can read. */
  return Effect.fnUntraced(function* (taken: TakenMail): Effect.fn.Return<Written, MailNotSent | Schema.SchemaError> {
    const { company, facts, id: mailId, kind } = taken
    const mail = yield* readMail({ kind, facts })
    if (mail.kind === "ENDPOINT_FAILING" || mail.kind === "ENDPOINT_OFF") {
      const message = { mailId, to: company.adminEmail, onBehalf: null, customerKey: null }
      return { _tag: "Message", isTest: false, message: { ...message, ...mailContent(mail, company, baseUrl) } }
    }
    const matter = yield* findMatter(mailId)
    if (matter === null) return outOfDate("there is no such journey")
    if (mail.kind === "MAIL_UNDELIVERED") {
      return toTeam(taken, undeliveredLetter(mail.facts.mail, matter.journey), matter)
    }
    if (!stillStands(mail.kind, matter.journey)) return outOfDate("the journey has moved on")
    switch (mail.kind) {
      case "REVIEW_NEEDED":
      case "CHECK_UNAVAILABLE":
      case "SUBMISSION_FAILED":
        return toTeam(taken, teamLetter(mail.kind, matter.journey), matter)
      default:
        return yield* toCustomer(taken, mail, matter)
    }
  })
})

const toTeam = ({ company, id: mailId }: TakenMail, letter: Letter, { journey }: Matter): Written => {
  const isTest = !journey.livemode
  const content = contentOf(isTest ? markedTest(letter, "the company's team") : letter)
  const message = { mailId, to: company.adminEmail, onBehalf: null, ...content, customerKey: null }
  return { _tag: "Message", isTest, message }
}

const markedTest = ({ paragraphs, subject }: Letter, intended: string): Letter => ({
  subject: `${testMark}${subject}`,
  paragraphs: [`This is mail about a test journey. Of a live one it would have gone to ${intended}.`, ...paragraphs]
})
