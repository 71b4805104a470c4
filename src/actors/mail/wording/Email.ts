/**
 * An email as it is worded, and the plain and the HTML part that are made of it. Both parts say the same. An email has no
 * picture, no tracking and nothing for a preview, and shows the whole URL of a link (decision M6). What each email says
 * stands in the other files of this folder.
 */
import { escapedHtml } from "../../../schema/escapedHtml.ts"

/** `words` say what the URL opens; both parts show the whole URL. */
export interface EmailLink {
  readonly words: string
  readonly url: string
}

export interface Email {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string | EmailLink>
}

export interface EmailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const contentOf = ({ paragraphs, subject }: Email): EmailContent => ({
  subject: oneLine(subject),
  text: paragraphs.map(inText).join("\n\n").concat("\n"),
  html: page(paragraphs.map(inHtml))
})

/** Mail about the sandbox can be told from live mail at first sight (decision S8). */
export const testMark = "[TEST] "

/** A character that would begin a new line, or a new header, becomes a space. Every name passes here before it is worded. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const inText = (paragraph: string | EmailLink): string =>
  typeof paragraph === "string" ? paragraph : `${paragraph.words} ${paragraph.url}`

const inHtml = (paragraph: string | EmailLink): string => {
  if (typeof paragraph === "string") return escapedHtml(paragraph)
  const url = escapedHtml(paragraph.url)
  return `${escapedHtml(paragraph.words)} <a href="${url}">${url}</a>`
}

const page = (paragraphs: ReadonlyArray<string>): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>',
    ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    "</body></html>\n"
  ].join("\n")
