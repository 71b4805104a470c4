/**
 * Text as callers send it (V11): composed (NFC), trimmed, counted in code points, without control characters. Blank
 * text counts as missing. Codes such as IN_STORE are literals and no text, so they compare exactly. The schemas here
 * judge text that `normalise.ts` has already brought into form.
 */
import { Schema } from "effect"

/** How a text field is normalised. ASCII text is not composed, because NFC turns U+212A (Kelvin) into a plain K. */
export interface TextForm {
  readonly limit: number
  readonly lines: "ONE" | "MANY"
  readonly alphabet: "UNICODE" | "ASCII"
}

/** The annotation of a schema's first check that says how its text is normalised. */
export const textForm = "journeys/schema/textForm"

/** A rule of one kind of text, judged after the rules of all text. `jsonSchema` says the same to readers of the documents. */
export interface TextRule {
  readonly judge: (value: string) => string | undefined
  readonly jsonSchema: object
}

/** One line of text of at most `limit` characters. */
export const text = (limit: number, rule?: TextRule) =>
  textOf(
    { limit, lines: "ONE", alphabet: "UNICODE" },
    (value) => unfit(value, forbiddenInLine, limit) ?? rule?.judge(value),
    rule?.jsonSchema
  )

/** Text of `least` to `limit` characters that may hold line breaks and tabs. */
export const multilineText = (limit: number, least = 1) =>
  textOf(
    { limit, lines: "MANY", alphabet: "UNICODE" },
    (value) =>
      unfit(value, forbiddenInLines, limit) ??
      (isLonger(value, least - 1) ? undefined : `must be at least ${least} characters`),
    { minLength: least }
  )

/** Text in a format of its own, such as a date. `judge` says what is wrong with it. */
export const formattedText = (limit: number, judge: (value: string) => string | undefined, jsonSchema: object) =>
  textOf({ limit, lines: "ONE", alphabet: "ASCII" }, judge, jsonSchema)

/** Text in form. Undefined when nothing is left of it, which counts as missing. */
export const normaliseText = (value: string, form: TextForm): string | undefined => {
  const trimmed = trim(value, form.lines === "ONE" ? isSpace : isSpaceOrBreak)
  if (trimmed === "") return undefined
  if (form.alphabet === "ASCII" || isPlain(trimmed)) return trimmed
  // Composing takes quadratic time on long runs of marks (1.8 s for 100,000), and makes at most four characters into
  // one. Text that would stay too long for its field in any case is therefore left as it is.
  return isLonger(trimmed, 4 * form.limit) ? trimmed : trimmed.normalize("NFC")
}

const textOf = (form: TextForm, judge: (value: string) => string | undefined, jsonSchema: object = {}) =>
  Schema.String.check(
    // Only the text of a change comes here empty: `normalise.ts` takes other blank text away.
    Schema.makeFilter((value) => (value === "" ? "must not be empty" : judge(value)), {
      toJsonSchema: () => [{ minLength: 1, maxLength: form.limit, ...jsonSchema }, true],
      [textForm]: form
    })
  )

const unfit = (value: string, forbidden: RegExp, limit: number): string | undefined => {
  if (!isPlain(value)) {
    if (forbidden.test(value)) return "must not hold control characters, direction overrides or U+FEFF"
    if (!value.isWellFormed()) return "must not hold half of a surrogate pair"
    if (!visible.test(value)) return "must hold a visible character"
  }
  return isLonger(value, limit) ? `must be at most ${limit} characters` : undefined
}

/** Most text is printable ASCII and needs none of the Unicode rules. */
const isPlain = (value: string): boolean => !/[^\x20-\x7e]/.test(value)

/** Control characters, line and paragraph separators, direction embeddings, overrides and isolates, U+FEFF. */
// oxlint-disable-next-line no-control-regex -- the rule is about control characters
const forbiddenInLine = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/
// oxlint-disable-next-line no-control-regex -- the same, with line breaks and tabs allowed
const forbiddenInLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/

/**
 * Anything except spaces and characters that draw nothing (zero-width spaces and joiners, fillers, variation
 * selectors, the blank of braille).
 */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u

/** A character has at most two code units, so most text is judged by its length alone. */
const isLonger = (value: string, limit: number): boolean => {
  if (value.length <= limit) return false
  if (value.length > 2 * limit) return true
  let characters = 0
  for (const _ of value) characters++
  return characters > limit
}

/** Spaces of every width. Control characters are not among them: they are refused even at the ends. */
const isSpace = (code: number): boolean =>
  code === 0x20 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000

const isSpaceOrBreak = (code: number): boolean => isSpace(code) || code === 0x09 || code === 0x0a || code === 0x0d

const trim = (value: string, isTrimmed: (code: number) => boolean): string => {
  let start = 0
  let end = value.length
  while (start < end && isTrimmed(value.charCodeAt(start))) start++
  while (end > start && isTrimmed(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}
