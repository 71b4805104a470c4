/**
 * The words of mail to a company's own people about the mail that the company sends to others: that a day's mails are used up,
 * or that mail was stopped because too much of it comes back. When either is so is decided by the stores.
 */
import type { StandingMail } from "../../../schema/mail/mailKinds.ts"
import { consoleButton, consolePages } from "./consoleLink.ts"
import { counted, type Email } from "./Email.ts"
import { unlinked } from "./unlinked.ts"

/** `baseUrl`: null leaves out the button. */
export const standingEmail = (
  mail: StandingMail,
  company: { readonly name: string },
  baseUrl: string | null
): Email => {
  const { paragraphs, subject } = worded(mail, unlinked(company.name))
  if (baseUrl === null) return { subject, paragraphs }
  return { subject, paragraphs: [...paragraphs, consoleButton(baseUrl, "Open the company", consolePages.company)] }
}

const worded = (mail: StandingMail, name: string): Email => {
  switch (mail.kind) {
    case "MAIL_LIMITED":
      return {
        subject: `Mail of ${name} waits: today's mails have left`,
        paragraphs: [
          `${name} has sent the ${counted(mail.facts.perDay, "mail")} to customers that it may send in a day. What is over waits, in its order, and leaves when there is a place. Nothing is lost.`,
          "A new company may send few mails a day, and more later. If you expect more now, ask the operator of this service for a larger number. This mail comes once."
        ]
      }
    case "MAIL_STOPPED":
      return {
        subject: `Mail of ${name} to customers has been stopped`,
        paragraphs: [
          `Of ${counted(mail.facts.mails, "mail")} to customers of ${name} in a day, ${counted(mail.facts.returned, "was", "were")} refused, came back or brought a complaint. No more of them are sent now, and no invitations.`,
          "Journeys go on, and what would be sent waits. Look where the addresses come from: they must be those of your customers, typed right, and of people who expect to hear from you.",
          "When the cause is gone, ask the operator of this service to start the mail again."
        ]
      }
  }
}
