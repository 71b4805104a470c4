/**
 * The mail to customers, in the name of the company that they deal with and in the customer's language. The words stand in
 * the catalogue (`schema/words`, rooms `mail` and `steps`); here they become a mail. A mail tells the customer's first name and the
 * vehicle's registration and no other personal data (decision M6); the page behind the link shows what a step is about.
 * When a mail is sent, and where its link leads, is decided elsewhere.
 */
import { Duration } from "effect"
import { hoursFor, type Brand } from "../../../schema/company/Brand.ts"
import type { CustomerStep, Reminder } from "../../../schema/journey/steps.ts"
import type { CustomerMailKind } from "../../../schema/mail/mailKinds.ts"
import type { Language } from "../../../schema/words/locale/languages.ts"
import { wordsOf, type Words } from "../../../schema/words/words.ts"
import { customerLimits } from "../../customer/limits.ts"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { stepAskedOf } from "../../journey/rules/state/waiting.ts"
import { journeyLimits } from "../../journey/rules/limits.ts"
import type { Email } from "./Email.ts"
import { unlinked } from "./unlinked.ts"

/** Mail without a link: it tells the customer something and asks for nothing. */
export type NewsKind = Exclude<CustomerMailKind, CustomerStep>

export interface Addressee {
  readonly firstName: string
  readonly registration: string
  /** The company whose journey it is, and how it shows itself. */
  readonly company: string
  readonly brand: Brand
  /** The selling company, when the caller named another company (decision M5). */
  readonly seller: string | null
  readonly language: Language
}

/** The link of a mail; `until`: when it ends, in epoch milliseconds, where that is known. */
export interface MailedLink {
  readonly url: string
  readonly until: number | null
}

/**
 * `again`: the customer has tried this step before. `reminder`: the customer was asked for it before. `newLink`: somebody has asked for
 * another link. `until`: when the customer's time for the step ends, where that is known.
 */
interface Asked {
  readonly again: boolean
  readonly reminder?: Reminder
  readonly newLink?: boolean
  readonly until?: number
}

/** When the customer's time for the step ends (X1, X2), as long as the journey asks for the step. */
export const timeForStep = (step: CustomerStep, journey: Journey): Pick<Asked, "until"> => {
  const deadline = stepAskedOf(journey) === step ? journey.window?.deadline : null
  return deadline == null ? {} : { until: deadline }
}

export const stepEmail = (step: CustomerStep, asked: Asked, to: Addressee, link: MailedLink): Email => {
  const addressee = printed(to)
  const { formats, journey, mail, steps } = wordsOf(to.language)
  const { ask, button, preview, subject } = steps[step].mail[asked.again ? "again" : "first"]
  const until = asked.until === undefined ? null : formats.moment(asked.until)
  const doneUntil = until === null ? [] : [journey.until({ until })]
  return signed(
    addressee,
    subjectOf(mail, asked, subject(addressee)),
    // Beside the subject, which says what to do, mail programs show the first words.
    [...doneUntil, preview].join(" "),
    [
      ...(asked.newLink === true ? [mail.newLink.replaces] : []),
      ...ask.map((sentence) => sentence(addressee)),
      ...(asked.reminder === "FIRST" ? [mail.reminder.first] : []),
      ...(asked.reminder === "SECOND" ? [mail.reminder.second(addressee)] : []),
      ...(asked.reminder === "LAST" ? [mail.reminder.last({ ...addressee, days: lastDays, until })] : doneUntil),
      { button, instead: mail.openInstead, url: link.url },
      mail.linkNote({
        days: Duration.toDays(customerLimits.linkLifetime),
        until: link.until === null ? null : formats.moment(link.until)
      })
    ]
  )
}

const lastDays = Duration.toDays(journeyLimits.reminders.lastBeforeEnd)

const subjectOf = (mail: Words["mail"], { newLink, reminder }: Asked, subject: string): string => {
  if (newLink === true) return mail.newLink.subject({ subject })
  return reminder === undefined ? subject : mail.reminder.subject({ subject })
}

/** What a mail tells of the journey itself. */
export type MailedJourney = Pick<Journey, "handover" | "id" | "lastEventAt">

export const newsEmail = (kind: NewsKind, to: Addressee, journey: MailedJourney): Email => {
  const addressee = printed(to)
  const { paragraphs, preview, subject } = news[kind](wordsOf(to.language), addressee, journey)
  return signed(addressee, subject, preview, paragraphs)
}

const printed = (to: Addressee): Addressee => {
  const { company, firstName, registration, seller } = to
  return {
    ...to,
    firstName: unlinked(firstName),
    registration: unlinked(registration),
    company: unlinked(company),
    seller: seller === null || unlinked(seller) === unlinked(company) ? null : unlinked(seller)
  }
}

const signed = (to: Addressee, subject: string, preview: string, paragraphs: Email["paragraphs"]): Email => {
  const { mail } = wordsOf(to.language)
  return {
    subject,
    preview,
    paragraphs: [mail.greeting(to), ...paragraphs],
    smallPrint: smallPrint(to, mail),
    face: { name: to.company, colour: to.brand.colour, language: to.language }
  }
}

/** Why the customer gets the mail, from whom, and whom to ask. */
const smallPrint = (to: Addressee, mail: Words["mail"]): ReadonlyArray<string> => {
  const { brand, language, seller } = to
  const hours = hoursFor(brand, language)
  return [
    seller === null ? mail.from(to) : mail.fromFor({ ...to, seller }),
    brand.telephone === null ? mail.reply : mail.replyOrCall({ telephone: brand.telephone }),
    ...(hours === null ? [] : [hours.split("\n").map(unlinked).join("\n")])
  ]
}

interface News extends Pick<Email, "subject"> {
  readonly preview: string
  readonly paragraphs: ReadonlyArray<string>
}

const news: Readonly<Record<NewsKind, (words: Words, to: Addressee, journey: MailedJourney) => News>> = {
  WELCOME: ({ mail: { welcome } }, to) => ({
    subject: welcome.subject(to),
    preview: welcome.preview,
    paragraphs: [
      to.seller === null ? welcome.guides(to) : welcome.guidesFor({ ...to, seller: to.seller }),
      welcome.how,
      welcome.nothing
    ]
  }),
  FINANCE_APPROVED: ({ mail: { financeApproved } }, to) => ({
    subject: financeApproved.subject(to),
    preview: financeApproved.preview,
    paragraphs: [financeApproved.approved(to), financeApproved.nothing]
  }),
  // The mail is neutral (decision M1): the company explains what the lender said.
  FINANCE_UPDATED: ({ mail: { financeUpdated } }, to) => ({
    subject: financeUpdated.subject(to),
    preview: financeUpdated.preview,
    paragraphs: [financeUpdated.news(to), financeUpdated.ask(to)]
  }),
  // The pages show a fuller receipt while the customer is signed in, which may be over by now.
  HANDOVER_COMPLETE: (words, to, journey) => {
    const { complete, goodbye, keep, preview, subject } = words.mail.handoverComplete
    return { subject: subject(to), preview, paragraphs: [complete(to), receipt(words, to, journey), keep, goodbye] }
  }
}

const receipt = (
  { ending, formats }: Words,
  { company, registration, seller }: Addressee,
  journey: MailedJourney
): string =>
  [
    [ending.vehicle, registration],
    [ending.seller, seller ?? company],
    [ending.when, formats.moment(journey.handover?.completedAt ?? journey.lastEventAt)],
    [ending.reference, journey.id]
  ]
    .map((row) => row.join(": "))
    .join("\n")
