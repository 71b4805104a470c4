/**
 * What the customer of a review will read when it is decided. The decision is tried on the journey as it is, by the rules that
 * will take it, and what it leads to is worded by the words of the pages and mails. Pure: nothing is sent and nothing changes.
 */
import { isCustomerStep } from "../../schema/journey/steps.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { CustomerMailKind } from "../../schema/mail/mailKinds.ts"
import type { CustomerReads, Worded } from "../../schema/review/CustomerReads.ts"
import { usualLanguage, type Language } from "../../schema/words/locale/languages.ts"
import { wordsOf, type Words } from "../../schema/words/words.ts"
import { decide } from "../journey/rules/decide.ts"
import type { Journey, PendingMail } from "../journey/rules/state/Journey.ts"
import { hasSaidNo } from "../journey/rules/state/consent.ts"
import { stepAskedOf } from "../journey/rules/state/waiting.ts"
import type { Email, Paragraph } from "../mail/wording/Email.ts"
import { newsEmail, stepEmail, timeForStep, type Addressee } from "../mail/wording/customer.ts"

const decided = (journey: Journey, message: JourneyMessage, now: number): Journey => {
  const outcome = decide(journey, message, now)
  return outcome._tag === "Step" ? outcome.journey : journey
}

/** The journey after the decision, and after the handover that the service creates because of it. */
const afterDecision = (journey: Journey, message: JourneyMessage, now: number): Journey => {
  const after = decided(journey, message, now)
  return after.owed.some(({ kind }) => kind === "CREATE_HANDOVER")
    ? decided(after, { _tag: "HandoverCreated" }, now)
    : after
}

export const customerReads = (
  journey: Journey,
  { decision, message }: { readonly decision: CustomerReads["decision"]; readonly message: JourneyMessage },
  to: Addressee,
  now: number
): CustomerReads => {
  const after = afterDecision(journey, message, now)
  const inBoth = bothWays(to.language)
  return {
    decision,
    language: to.language,
    page: inBoth((language) => pageWords(wordsOf(language), after, decision)),
    showsReason: decision === "REJECT" && after.identity?.status === "FAILED",
    mails: after.owed
      .filter((one): one is PendingMail => one.kind === "MAIL" && one.serial > journey.owedCount)
      .flatMap((mail) => {
        const emailIn = (language: Language) => emailOf(mail, { ...to, language }, after)
        const kind = customerMail(mail)
        if (kind === null) return []
        const [subject] = inBoth((language) => [emailIn(language)?.subject ?? ""])
        const paragraphs = inBoth((language) => emailIn(language)?.paragraphs.map(shownParagraph) ?? [])
        return subject === undefined ? [] : [{ kind, subject, paragraphs }]
      })
  }
}

/** Sentences in the customer's language, each with its English. */
const bothWays =
  (language: Language) =>
  (wording: (language: Language) => ReadonlyArray<string>): ReadonlyArray<Worded> => {
    const english = wording(usualLanguage)
    return wording(language).map((text, at) => ({
      text,
      english: language === usualLanguage ? null : (english[at] ?? null)
    }))
  }

const customerMail = ({ mail }: PendingMail): CustomerMailKind | null =>
  CustomerMailKind.literals.find((kind) => kind === mail) ?? null

const emailOf = (owed: PendingMail, to: Addressee, journey: Journey): Email | null => {
  const kind = customerMail(owed)
  if (kind === null) return null
  return isCustomerStep(kind)
    ? stepEmail(kind, { ...timeForStep(kind, journey), again: owed.again }, to, { url: "", until: null })
    : newsEmail(kind, to, journey)
}

/** The link of a mail is made when the mail is sent: here is what its button says. */
const shownParagraph = (paragraph: Paragraph): string => {
  if (typeof paragraph === "string") return paragraph
  return `[${"button" in paragraph ? paragraph.button : paragraph.words}]`
}

/** What the customer's page of the journey says first. */
const pageWords = (
  { ending, journey: says, steps }: Words,
  after: Journey,
  decision: CustomerReads["decision"]
): ReadonlyArray<string> => {
  if (after.status === "COMPLETED") return [ending.heading, ending.taken]
  const step = stepAskedOf(after)
  if (step === null) return [says.nothing.heading, says.nothing.text]
  if (step === "VERIFY_IDENTITY" && after.identity?.status === "FAILED") return [says.identity.again, says.rejected]
  // Whoever said no to the comparison has sent no video that was looked at: they are asked as for the first time.
  if (step === "RECORD_VIDEO" && decision === "REJECT" && !hasSaidNo(after, "video")) {
    return [says.video.again, says.video.unclear]
  }
  return [steps[step].name, steps[step].about]
}
