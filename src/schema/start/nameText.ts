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
  // The ideographic full stop, a tone of Lisu, and the full stop of Vai.
  [/[\u3002\ua4f8\ua60e]/g, "."],
  // The slashes of fractions, of division and of sets, and a line from corner to corner.
  [/[\u2044\u2215\u29f8\u2571]/g, "/"],
  // The ratio, a letter for a long sound, and a letter for a tone.
  [/[\u2236\u02d0\ua789]/g, ":"]
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
