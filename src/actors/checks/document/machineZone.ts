/**
 * The machine-readable lines of a passport, visa or identity card (ICAO Doc 9303, parts 3 to 6), found in the text that was read
 * off a photo, with the reader's mistakes in it. Pure. The library `mrz` knows the fields and their check digits; this file
 * finds the lines, and puts them into the length that the library asks for.
 *
 * Readers see fillers (`<`) as other letters, or miscount them. So the line of the dates is put in order around its dates, and the
 * line of the names ends with the second pair of fillers.
 */
import { parse } from "mrz"
import { documentLimits } from "../limits.ts"

const { fewestFillers, fewestLineLetters, mostShifted } = documentLimits

export interface MachineZone {
  /** The words of the names, as they stand in the lines. */
  readonly lastNames: ReadonlyArray<string>
  readonly firstNames: ReadonlyArray<string>
  /** The names fill their line, so they may have been cut off. */
  readonly isCut: boolean
  /** YYMMDD, with a right check digit. */
  readonly birthDate: string
  /** YYMMDD, with a right check digit. */
  readonly expirationDate: string
}

/** Readers put spaces between the letters of these lines, and signs of their own in place of fillers. */
const linesIn = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) =>
      line
        .toUpperCase()
        .replaceAll("«", "<<")
        .replaceAll("‹", "<")
        .replaceAll(/[^A-Z0-9<]/g, "")
    )
    .filter((line) => line.length >= fewestLineLetters)

/** Whether a text seems to have machine-readable lines, read well or badly. */
export const hasZone = (text: string): boolean =>
  linesIn(text).some((line) => (line.match(/</g)?.length ?? 0) >= fewestFillers)

/** Birth date, sex and date of expiry, each date with its check digit; some readers take digits for letters. */
const dates = /(?=([0-9ODQIZSBG]{7}[MFX<][0-9ODQIZSBG]{7}))/g

/**
 * The forms: passports and cards of two lines, whose fields stand at the same places in lines of 44 and 36 letters, and cards of
 * three lines.
 */
const forms = [
  { length: 44, datesAt: 13, namesBefore: true, namesFrom: 5 },
  { length: 30, datesAt: 0, namesBefore: false, namesFrom: 0 }
] as const

const toLength = (line: string, length: number): string => line.slice(0, length).padEnd(length, "<")

/** The names with the fillers after them as fillers, whatever the reader made of those. */
const namesEnded = (line: string, from: number): string => {
  const [last = "", first = ""] = line.slice(from).split("<<")
  return `${line.slice(0, from)}${last}<<${first}`
}

const wordsOf = (names: string | null | undefined): ReadonlyArray<string> =>
  (names ?? "").split(/[^A-Z]+/).filter((word) => word !== "")

const sound = ["birthDate", "birthDateCheckDigit", "expirationDate", "expirationDateCheckDigit"] as const

const zoneOf = (lines: ReadonlyArray<string>, isCut: boolean): MachineZone | null => {
  const { details, fields } = parse(lines, { autocorrect: true })
  const areSound = sound.every((field) => details.some((detail) => detail.field === field && detail.valid))
  const [lastNames, firstNames] = [wordsOf(fields.lastName), wordsOf(fields.firstName)]
  const { birthDate, expirationDate } = fields
  if (!areSound || lastNames.length === 0 || firstNames.length === 0 || birthDate == null || expirationDate == null) {
    return null
  }
  return { lastNames, firstNames, isCut, birthDate, expirationDate }
}

/** The zone in one of the forms; null where these lines do not have it. */
const zoneAs = (
  { datesAt, length, namesBefore, namesFrom }: (typeof forms)[number],
  lines: ReadonlyArray<string>,
  index: number,
  at: number
): MachineZone | null => {
  const line = lines[index] ?? ""
  const names = lines[namesBefore ? index - 1 : index + 1]
  if (names === undefined || Math.abs(at - datesAt) > mostShifted) return null
  const before = line.slice(Math.max(0, at - datesAt), at).padStart(datesAt, "<")
  const dated = toLength(before + line.slice(at), length)
  const named = toLength(namesEnded(names, namesFrom), length)
  const isCut = !names.endsWith("<") && names.slice(namesFrom).split("<<").length === 2
  return namesBefore
    ? zoneOf([named, dated], isCut)
    : zoneOf([toLength(lines[index - 1] ?? "I", length), dated, named], isCut)
}

/** Null: the text has no such lines, or their check digits are wrong. */
export const zoneIn = (text: string): MachineZone | null => {
  const lines = linesIn(text)
  for (const [index, line] of lines.entries()) {
    for (const { index: at } of line.matchAll(dates)) {
      for (const form of forms) {
        const zone = zoneAs(form, lines, index, at)
        if (zone !== null) return zone
      }
    }
  }
  return null
}
