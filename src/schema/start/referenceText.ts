/**
 * The caller's own reference of a deal. Events, lists and the team's mails repeat it in the clear, and it stays when the customer
 * is erased, so it must hold no personal data: what reads as a mail address or a telephone number is refused (decision V23).
 * Other personal data, such as a name, cannot be told from a reference.
 */
import { text } from "../decoding/text.ts"

/** Without flags, so that the documents can show it. */
const personal = [
  String.raw`[^\s@]@[^\s@]+\.[^\s@]`,
  // International: a plus that joins no two words, or 00 with a country's code set apart: many numbers of deals begin with zeros.
  String.raw`(?:(?:^|[^A-Za-z0-9])\+[ ().\-]*[1-9]|^00[1-9][0-9]{0,2}[ (])(?:[ ().\-/]*[0-9]){8,14}(?![0-9])`,
  // A mobile number of the United Kingdom, alone or as a word. References often begin with a month or a day, which may be 07: no
  // number has a separator behind 07, and what has a year behind its first four digits is a date.
  String.raw`(?:^|\s)(?!07[0-3][0-9][ .\-]?(?:19|20)[0-9]{2})0[ ()]*7(?=[0-9])(?:[ ().\-]*[0-9]){9}(?![0-9])`
].join("|")

const isPersonal = new RegExp(personal)

/** Full-width letters and digits read the same, and so do dashes of other widths, and what draws nothing. */
const asRead = (value: string): string =>
  value
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/[\p{Dash_Punctuation}\u2212]/gu, "-")

const judge = (value: string): string | undefined =>
  isPersonal.test(asRead(value)) ? "must not be a mail address or a telephone number" : undefined

export const referenceText = (limit: number) =>
  text(limit, { judge, jsonSchema: { pattern: `^(?!.*(?:${personal}))` } })
