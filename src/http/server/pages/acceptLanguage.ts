/**
 * Reads `Accept-Language` (RFC 9110, 12.5.4): which of our languages the sender likes best. A range matches by its first
 * subtag, because a language is offered in one spelling: `pl-PL` and `pl` are Polish. Libraries for this bring more code than
 * it takes.
 */
import { httpLimits } from "../limits.ts"

interface Range {
  readonly language: string
  readonly quality: number
}

const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/** A range with a malformed weight is left out, like a range that is not wanted (`q=0`). */
const rangeOf = (text: string): Range => {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim())
  const [language = ""] = tag.toLowerCase().split("-")
  const [given] = parameters
  return { language, quality: given === undefined ? 1 : Number(weight.exec(given)?.[1] ?? 0) }
}

/** Null: the sender says nothing, or likes none of ours. Of two that are liked the same the first one is meant. */
export const preferredLanguage = <const Language extends string>(
  header: string | undefined,
  ours: ReadonlyArray<Language>
): Language | null => {
  const ranges = (header ?? "").split(",", httpLimits.mostLanguageRanges).map(rangeOf)
  const liked = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  for (const { language } of liked) {
    const known = ours.find((one) => one === language)
    if (known !== undefined) return known
  }
  return null
}
