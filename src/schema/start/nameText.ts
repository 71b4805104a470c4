/**
 * Names that mails and pages repeat to the customer: of people, of the seller, of a vehicle's plate. A name that reads as a
 * link or as an address would make the service's own mail a tool for phishing, so it is refused (decision M9).
 */
import { text } from "../decoding/text.ts"

/** The rule as the documents say it. */
export const withoutLinks = "A name and no link: without `://`, `www.`, `@`, and a host name followed by a slash."

/** What mail programs turn into a link, or take for an address; without flags, so that the documents can show it. */
const linkLike = [
  "@",
  String.raw`[wW]{3}\.`,
  "://",
  String.raw`\b[hH][tT][tT][pP][sS]?:`,
  String.raw`\b[mM][aA][iI][lL][tT][oO]:`,
  // A host name or an IPv4 address, with or without a port, and a slash.
  String.raw`[^\s./\\]\.[^\s./\\:]{2,}(?::[0-9]+)?[/\\]`,
  String.raw`[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?[/\\]`
].join("|")

const holdsLink = new RegExp(linkLike)

/** Signs that are drawn like those of a link, by the sign that a reader takes them for. */
const drawnLike: ReadonlyArray<readonly [RegExp, string]> = [
  // The ideographic full stop, those of Syriac, Arabic, Kharoshthi and Vai, a tone of Lisu, and a dot of music.
  [/[\u3002\u0701\u0702\u06d4\u{10a50}\ua60e\ua4f8]|\u{1d16d}/gu, "."],
  // The slashes of fractions, of division, of sets and of logic, lines from corner to corner, a caret, and signs of Hanunoo, Coptic and music.
  [/[\u2044\u2215\u29f8\u27cb\u2571\u31d3\u2041\u1735\u2cc6\u{1d23a}]/gu, "/"],
  // The ratio, letters for a long sound and for tones, and the colons of Armenian, Hebrew, Syriac, Mongolian and runes.
  [/[\u2236\u02d0\u02f8\ua789\ua4fd\u0589\u05c3\u0703\u0704\u1803\u1809\u205a\u16ec]/gu, ":"]
]

/** Full-width letters, signs of other scripts and invisible characters make the same link for a reader. */
const asRead = (value: string): string =>
  drawnLike.reduce(
    (read, [signs, sign]) => read.replaceAll(signs, sign),
    value.normalize("NFKC").replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
  )

/** What is wrong with text that is shown to customers and holds a link; undefined when it holds none. */
export const linkProblem = (value: string): string | undefined =>
  holdsLink.test(asRead(value)) ? "must not hold a link, a web address or an @" : undefined

/** One line of text that may be repeated to the customer. */
export const nameText = (limit: number) =>
  text(limit, { judge: linkProblem, jsonSchema: { pattern: `^(?!.*(?:${linkLike}))` } }).annotate({
    description: withoutLinks
  })
