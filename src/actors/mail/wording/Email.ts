/**
 * A letter as it is put into a mail: a plain and an HTML part that say the same. No picture, no tracking, nothing for a
 * preview, and a link only with its URL visible (decision M6). What letters say is on the pages beside this one.
 */

import { escapedHtml } from "../../../schema/escapedHtml.ts"

/** `words` say what the URL is; both parts show it whole. */
export interface Link {
  readonly words: string
  readonly url: string
}

export interface Letter {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string | Link>
}

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const contentOf = ({ paragraphs, subject }: Letter): MailContent => ({
  subject: oneLine(subject),
  text: paragraphs.map(inText).join("\n\n").concat("\n"),
  html: page(paragraphs.map(inHtml))
})

/** Mail about the sandbox is told from live mail at first sight (decision S8). */
export const testMark = "[TEST] "

/** Whatever would begin a new line, or a new header, is a space. Names go through here before they are in a letter. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const inText = (paragraph: string | Link): string =>
  typeof paragraph === "string" ? paragraph : `${paragraph.words} ${paragraph.url}`

const inHtml = (paragraph: string | Link): string => {
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
