/**
 * What the photo of an identity document says about the customer (D6, D8). Pure: this file sees the text that was read off the
 * photo, with the reader's mistakes in it, and never the photo.
 *
 * | seen                                                              | says                                    |
 * |-------------------------------------------------------------------|-----------------------------------------|
 * | hardly a word, or a face that fills the picture                   | NO_DOCUMENT                             |
 * | machine-readable lines that cannot be read, a passport without    | DOCUMENT_UNREADABLE                     |
 * | machine-readable lines with other names, or another birth date    | NAME_DIFFERS, BIRTH_DATE_DIFFERS        |
 * | machine-readable lines whose date of expiry has passed            | DOCUMENT_EXPIRED                        |
 * | machine-readable lines of the customer                            | fits                                    |
 * | no such lines, and the customer's names and birth date in print   | fits                                    |
 * | no such lines, and anything else in print                         | nothing: printed text has no fixed form |
 *
 * The machine-readable lines have a fixed form with check digits (`machineZone.ts`): they can say that a document is somebody
 * else's. Names have no check digit, so a misread name goes to a person as another name does.
 */
import type { DocumentDoubt, DocumentReading } from "./DocumentReader.ts"
import type { CheckedCustomer } from "../../journey/rules/checkedCustomer.ts"
import { documentLimits } from "../limits.ts"
import { hasZone, zoneIn, type MachineZone } from "./machineZone.ts"

const { fewestCutLetters, fewestWords, largestFacePart, longestValidYears, longWord } = documentLimits

/** What the reader saw of a document. */
export interface SeenDocument {
  readonly text: string
  /** How many words it is certain of. */
  readonly words: number
  /** The height of the face, in parts of the longer side of the photo. */
  readonly facePart: number
}

/** Letters that are no letter with an accent, as Doc 9303 part 3 writes them. */
const spelled = new Map([
  ["Æ", "AE"],
  ["Œ", "OE"],
  ["Ø", "OE"],
  ["Ĳ", "IJ"],
  ["Ł", "L"],
  ["Đ", "D"],
  ["Ð", "D"],
  ["Ħ", "H"],
  ["Ŧ", "T"],
  ["Ŋ", "N"],
  ["ı", "I"],
  ["Þ", "TH"],
  ["ß", "SS"],
  ["ẞ", "SS"]
])

/** Letters that some states write as two, and others without their accent. */
const spelledAsTwo = new Map([
  ["Ä", "AE"],
  ["Ö", "OE"],
  ["Ü", "UE"],
  ["Å", "AA"],
  ["Ñ", "NXX"]
])

const inLetters = (name: string, letters: ReadonlyMap<string, string>): string =>
  [...letters].reduce(
    (text, [letter, written]) => text.replaceAll(letter, written),
    name.normalize("NFC").toUpperCase()
  )

/**
 * Words in the letters of machine-readable lines: capitals without accents, and without apostrophes; Æ, Ø and the like are written
 * as two letters.
 */
export const nameWords = (name: string): ReadonlyArray<string> =>
  inLetters(name.replaceAll(/['’‘ʼ`]/g, ""), spelled)
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Z]+/)
    .filter((word) => word !== "")

/** The ways in which a document may write a word of a name. */
const spellings = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [plain, asTwo] = [nameWords(name), nameWords(inLetters(name, spelledAsTwo))]
  return plain.map((word, at) => [word, asTwo[at] ?? word])
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

const holdsAll = (
  read: ReadonlyArray<string>,
  meant: ReadonlyArray<ReadonlyArray<string>>,
  isOne: (read: string, meant: string) => boolean = isWord
): boolean => meant.every((ways) => read.some((one) => ways.some((way) => isOne(one, way))))

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

/** Whether a printed text holds the birth date: 12.08.1974, 12/08/74, 12 AUG 1974, 12 AUG/AOUT 74. */
const holdsPrinted = (text: string, [year = "", month = "", day = ""]: ReadonlyArray<string>): boolean => {
  const name = months[Number(month) - 1] ?? ""
  const years = `(?:${year}|${year.slice(2)})`
  return new RegExp(String.raw`\b${day}[ .\-/]+(?:${month}|${name}[A-Z]*(?: ?/ ?[A-Z]+)?)[ .\-/]+${years}\b`).test(text)
}

/** Callers often leave out a second first name: the first one must be there. */
const namesMeant = ({ firstName, lastName }: CheckedCustomer) => ({
  last: spellings(lastName),
  first: spellings(firstName).slice(0, 1)
})

/** Some states put the first name before the last name: all words count, in whatever order. */
const isHolder = ({ firstNames, isCut, lastNames }: MachineZone, customer: CheckedCustomer): boolean => {
  const { first, last } = namesMeant(customer)
  const read = [...lastNames, ...firstNames]
  const cut = isCut ? (firstNames.at(-1) ?? "") : ""
  const isOne = (one: string, meant: string) =>
    isWord(one, meant) || (one === cut && one.length >= fewestCutLetters && meant.startsWith(one))
  return holdsAll(read, [...last, ...first], isOne)
}

/** The last day of validity as YYYY-MM-DD. */
const expiryOf = ({ expirationDate }: MachineZone, today: string): string => {
  const [year, month, day] = [0, 2, 4].map((from) => expirationDate.slice(from, from + 2))
  const century = Number(year) + 2000 > Number(today.slice(0, 4)) + longestValidYears ? 19 : 20
  return `${century}${year}-${month}-${day}`
}

const readingOfZone = (zone: MachineZone, customer: CheckedCustomer, today: string): DocumentReading => {
  const { dateOfBirth } = customer
  const doubts: ReadonlyArray<DocumentDoubt> = [
    ...(isHolder(zone, customer) ? [] : ["NAME_DIFFERS" as const]),
    ...(dateOfBirth === null || dateOfBirth.replaceAll("-", "").slice(2) === zone.birthDate
      ? []
      : ["BIRTH_DATE_DIFFERS" as const]),
    ...(expiryOf(zone, today) < today ? ["DOCUMENT_EXPIRED" as const] : [])
  ]
  return { fits: doubts.length === 0, doubts }
}

const isInPrint = (text: string, customer: CheckedCustomer): boolean => {
  const printed = text.toUpperCase().normalize("NFD").replaceAll(/\p{M}/gu, "")
  const { first, last } = namesMeant(customer)
  const isBornThen = customer.dateOfBirth === null || holdsPrinted(printed, customer.dateOfBirth.split("-"))
  return isBornThen && holdsAll(nameWords(text), [...last, ...first])
}

/** A passport, in the languages of the states that print theirs in Latin letters and name it so. */
const passports = new Set([
  "PASSPORT",
  "PASSEPORT",
  "PASAPORTE",
  "PASSAPORTO",
  "PASSAPORTE",
  "PASAPORT",
  "PASZPORT",
  "PASPOORT",
  "PASPORT",
  "REISEPASS"
])

/** Every passport has machine-readable lines beside its holder's photo, so lines that nobody sees were left out or covered. */
const isPassport = (text: string): boolean => nameWords(text).some((word) => passports.has(word))

const doubt = (doubt: DocumentDoubt): DocumentReading => ({ fits: false, doubts: [doubt] })

/** Whether it is a document, and the customer's. `today` is a day of UTC as YYYY-MM-DD. */
export const documentReading = (seen: SeenDocument, customer: CheckedCustomer, today: string): DocumentReading => {
  if (seen.words < fewestWords || seen.facePart > largestFacePart) return doubt("NO_DOCUMENT")
  const { first, last } = namesMeant(customer)
  const zone = zoneIn(seen.text)
  // Names in letters that no document of this form has cannot be compared.
  const isComparable = first.length > 0 && last.length > 0
  if (zone !== null) return isComparable ? readingOfZone(zone, customer, today) : doubt("DOCUMENT_UNREADABLE")
  return hasZone(seen.text) || isPassport(seen.text)
    ? doubt("DOCUMENT_UNREADABLE")
    : { fits: isComparable && isInPrint(seen.text, customer), doubts: [] }
}
