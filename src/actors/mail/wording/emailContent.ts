/**
 * The parts of an email: its subject, the plain part, which is made here, and the HTML part, which `emailHtml.ts` makes. Both
 * parts say the same. What an email says is decided before.
 */
import { oneLine, type Email } from "./Email.ts"
import { emailHtml } from "./emailHtml.ts"

export interface EmailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const contentOf = (email: Email): EmailContent => ({
  subject: oneLine(email.subject),
  text: [...email.paragraphs, ...(email.smallPrint ?? [])].map(inText).join("\n\n").concat("\n"),
  html: emailHtml(email)
})

const inText = (paragraph: Email["paragraphs"][number]): string => {
  if (typeof paragraph === "string") return paragraph
  return "button" in paragraph ? `${paragraph.button}: ${paragraph.url}` : `${paragraph.words} ${paragraph.url}`
}
