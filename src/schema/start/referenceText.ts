/**
 * The caller's own reference of a deal. Events, lists and the team's mails repeat it in the clear, and it stays when the customer
 * is erased, so it must hold no personal data: what reads as a mail address or a telephone number is refused (decision V23).
 * Other personal data, such as a name, cannot be told from a reference.
 */
import { text } from "../decoding/text.ts"

/** Without flags, so that the documents can show it. */
const personal = [
  String.raw`[^\s@]@[^\s@]+\.[^\s@]`,
  // International: a plus, or 00 with a country's code set apart: many numbers of deals begin with zeros.
  String.raw`(?:\+[ ().\-]*[1-9]|^00[1-9][0-9]{0,2}[ (])(?:[ ().\-]*[0-9]){8,14}(?![0-9])`,
  // A mobile number of the United Kingdom, alone or as a word.
  String.raw`(?:^|\s)0[ ().\-]*7(?:[ ().\-]*[0-9]){9}(?![0-9])`
].join("|")

const isPersonal = new RegExp(personal)

/** Full-width letters and digits read the same. */
const judge = (value: string): string | undefined =>
  isPersonal.test(value.normalize("NFKC")) ? "must not be a mail address or a telephone number" : undefined

export const referenceText = (limit: number) =>
  text(limit, { judge, jsonSchema: { pattern: `^(?!.*(?:${personal}))` } })
