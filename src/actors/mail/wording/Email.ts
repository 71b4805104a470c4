/**
 * An email as it is worded, and the plain part that is made of it; `emailHtml.ts` makes the HTML part. Both parts say the
 * same. An email has no picture, no tracking and nothing that is loaded from elsewhere, and shows the whole URL of a link
 * (decision M6). What each email says stands in the other files of this folder.
 */
import type { BrandColours } from "../../../schema/company/brandColours.ts"
import type { LanguageAbout } from "../../../schema/words/languages.ts"
import { emailHtml } from "./emailHtml.ts"

/** `words` say what the URL opens; both parts show the whole URL. */
export interface EmailLink {
  readonly words: string
  readonly url: string
}

/** The one thing that an email asks for. `instead` stands before the URL, for people whose button does not work. */
export interface EmailButton {
  readonly button: string
  readonly instead: string
  readonly url: string
}

export type Paragraph = string | EmailLink | EmailButton

/** How an email shows the company that speaks in it. */
export interface EmailFace {
  readonly name: string
  readonly colours: BrandColours
  readonly language: LanguageAbout
}

export interface Email {
  readonly subject: string
  /** What mail programs show beside the subject; the email itself does not show it. */
  readonly preview?: string
  readonly paragraphs: ReadonlyArray<Paragraph>
  /** Why the email comes, and whom to ask. A line break stays one. */
  readonly smallPrint?: ReadonlyArray<string>
  /** Mail to a company's own people has none. */
  readonly face?: EmailFace
}

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

/** Mail about the sandbox can be told from live mail at first sight (decision S8). */
export const testMark = "[TEST] "

/** A character that would begin a new line, or a new header, becomes a space. Every name passes here before it is worded. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const inText = (paragraph: Paragraph): string => {
  if (typeof paragraph === "string") return paragraph
  return "button" in paragraph ? `${paragraph.button}: ${paragraph.url}` : `${paragraph.words} ${paragraph.url}`
}
