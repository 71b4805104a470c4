/**
 * An email as it is worded, before `emailContent.ts` makes its parts. An email has no picture, no tracking and nothing that is
 * loaded from elsewhere, and shows the whole URL of a link (decision M6). What each email says stands in the other files of
 * this folder.
 */
import { Schema } from "effect"
import { Language } from "../../../schema/words/locale/languages.ts"

/** `words` say what the URL opens; both parts show the whole URL. */
const EmailLink = Schema.Struct({ words: Schema.String, url: Schema.String })
export type EmailLink = typeof EmailLink.Type

/** The one thing that an email asks for. `instead` stands before the URL, for people whose button does not work. */
const EmailButton = Schema.Struct({ button: Schema.String, instead: Schema.String, url: Schema.String })
export type EmailButton = typeof EmailButton.Type

const Paragraph = Schema.Union([Schema.String, EmailLink, EmailButton])
export type Paragraph = typeof Paragraph.Type

/** How an email shows the company that speaks in it. `colour`: null where the company has none of its own. */
const EmailFace = Schema.Struct({ name: Schema.String, colour: Schema.NullOr(Schema.String), language: Language })

export const Email = Schema.Struct({
  subject: Schema.String,
  /** What mail programs show beside the subject; the email itself does not show it. */
  preview: Schema.optionalKey(Schema.String),
  paragraphs: Schema.Array(Paragraph),
  /** Why the email comes, and whom to ask. A line break stays one. */
  smallPrint: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Mail to a company's own people has none. */
  face: Schema.optionalKey(EmailFace)
})
export type Email = typeof Email.Type

/** Mail about the sandbox can be told from live mail at first sight (decision S8). */
export const testMark = "[TEST] "

/** A character that would begin a new line, or a new header, becomes a space. Every name passes here before it is worded. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
