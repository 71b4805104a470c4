/**
 * What the text of an identity document says about the customer (D6, D8). Pure: this file sees the text that was read off a
 * photo, with the reader's mistakes in it, and never the photo.
 *
 * The machine-readable lines of ICAO Doc 9303 (parts 4 to 6) name the holder in a fixed form, with check digits: they can say
 * that the document is the customer's, and that it is somebody else's. Printed text has no form: it can only say that the
 * customer's names and birth date stand in it. What says neither is UNREAD, and never counts against the customer.
 */
import type { DocumentReading } from "./DocumentReader.ts"
import type { CheckedCustomer } from "../journey/rules/checkedCustomer.ts"
import { documentLimits } from "./limits.ts"

const { fewestLineLetters, longWord } = documentLimits

/** A line of the machine-readable zone, which holds capitals, digits and fillers. Readers put spaces between its letters. */
const machineLines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.toUpperCase().replaceAll("«", "<<").replaceAll(/\s/g, ""))
    .filter((line) => line.length >= fewestLineLetters && line.includes("<") && /^[A-Z0-9<]+$/.test(line))

/** Words in the letters of machine-readable lines: capitals without accents; Æ, Ø and the like are written as two letters. */
export const nameWords = (name: string): ReadonlyArray<string> =>
  [...spelled]
    .reduce((text, [letter, letters]) => text.replaceAll(letter, letters), name.toUpperCase())
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Z]+/)
    .filter((word) => word !== "")

/** Letters that are no letter with an accent, as Doc 9303 part 3 writes them. */
const spelled = new Map([
  ["Æ", "AE"],
  ["Œ", "OE"],
  ["Ø", "OE"],
  ["Ł", "L"],
  ["Đ", "D"],
  ["Þ", "TH"],
  ["ß", "SS"],
  ["ẞ", "SS"]
])

interface Holder {
  readonly lastNames: ReadonlyArray<string>
  readonly firstNames: ReadonlyArray<string>
}

/** The holder of a passport (P), an identity card (I, A, C) or a visa: `P<UTOERIKSSON<<ANNA<MARIA<<<`. */
const holderIn = (lines: ReadonlyArray<string>): Holder | null => {
  for (const line of lines) {
    const passport = /^P[A-Z<][A-Z<]{3}([A-Z<]+?)<<([A-Z<]+)$/.exec(line)
    // The names of a card stand alone in its last line.
    const card = /^([A-Z]+(?:<[A-Z]+)*)<<([A-Z<]+)$/.exec(line)
    const [, last = "", first = ""] = passport ?? card ?? []
    const holder = { lastNames: last.split("<").filter(Boolean), firstNames: first.split("<").filter(Boolean) }
    if (holder.lastNames.length > 0 && holder.firstNames.length > 0) return holder
  }
  return null
}

/** The check digit of Doc 9303 part 3: weights 7, 3 and 1 over the values of the letters. */
const checkDigit = (digits: string): number =>
  Array.from(digits, Number).reduce((sum, digit, at) => sum + digit * ([7, 3, 1][at % 3] ?? 0), 0) % 10

/** The holder's birth date as YYMMDD: in either form it stands before the sex and the date of expiry, each with its check digit. */
const birthDateIn = (lines: ReadonlyArray<string>): string | null => {
  for (const line of lines) {
    for (const [, birth = "", checkOfBirth, expiry = "", checkOfExpiry] of line.matchAll(
      /(?=(\d{6})(\d)[MFX<](\d{6})(\d))/g
    )) {
      if (checkDigit(birth) === Number(checkOfBirth) && checkDigit(expiry) === Number(checkOfExpiry)) return birth
    }
  }
  return null
}

/** Whether two words are one, given that the reader may have mistaken one letter of a long word. */
const isWord = (read: string, meant: string): boolean =>
  read === meant || (meant.length >= longWord && Math.abs(read.length - meant.length) <= 1 && isOneApart(read, meant))

const isOneApart = (one: string, other: string): boolean => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const [a, b] = [one.slice(at), other.slice(at)]
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

const holdsAll = (read: ReadonlyArray<string>, meant: ReadonlyArray<string>): boolean =>
  meant.length > 0 && meant.every((word) => read.some((one) => isWord(one, word)))

/** Callers often leave out a second first name: the first one must be there. */
const isHolder = ({ firstNames, lastNames }: Holder, { firstName, lastName }: CheckedCustomer): boolean =>
  holdsAll(lastNames, nameWords(lastName)) && holdsAll(firstNames, nameWords(firstName).slice(0, 1))

const shareWord = (read: ReadonlyArray<string>, meant: ReadonlyArray<string>): boolean =>
  meant.some((word) => read.some((one) => isWord(one, word) || one.startsWith(word) || word.startsWith(one)))

/** Names that share no word at all: a reader's mistakes do not make them, and neither does a name that was cut off. */
const isSomebodyElse = ({ firstNames, lastNames }: Holder, { firstName, lastName }: CheckedCustomer): boolean => {
  return !shareWord(lastNames, nameWords(lastName)) || !shareWord(firstNames, nameWords(firstName))
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

/** Whether a printed text holds the birth date: 12.08.1974, 12/08/74, 12 AUG 1974, 12 AUG/AOUT 74. */
const holdsPrinted = (text: string, [year = "", month = "", day = ""]: ReadonlyArray<string>): boolean => {
  const name = months[Number(month) - 1] ?? ""
  const years = `(?:${year}|${year.slice(2)})`
  return new RegExp(String.raw`\b${day}[ .\-/]+(?:${month}|${name}[A-Z]*(?: ?/ ?[A-Z]+)?)[ .\-/]+${years}\b`).test(text)
}

/** Whether the document that this text was read off is the customer's. */
export const documentReading = (text: string, customer: CheckedCustomer): DocumentReading => {
  const lines = machineLines(text)
  const holder = holderIn(lines)
  const birth = birthDateIn(lines)
  const born = customer.dateOfBirth?.split("-") ?? null
  const shortBorn = born === null ? null : born.join("").slice(2)

  const isBornElse = birth !== null && shortBorn !== null && birth !== shortBorn
  // Check digits that are right show that the lines were read well: only then may a name in them count against the customer.
  if (isBornElse || (birth !== null && holder !== null && isSomebodyElse(holder, customer))) return "DIFFERS"

  const printed = text.toUpperCase().normalize("NFD").replaceAll(/\p{M}/gu, "")
  const printedWords = nameWords(text)
  const isNamed =
    holder === null
      ? holdsAll(printedWords, [...nameWords(customer.lastName), ...nameWords(customer.firstName).slice(0, 1)])
      : isHolder(holder, customer)
  const isBornThen = born === null || birth === shortBorn || holdsPrinted(printed, born)
  return isNamed && isBornThen ? "FITS" : "UNREAD"
}
