/** The catalogue of words: every language says everything, in its own words, with the same facts in the same places. */
import { describe, expect, it } from "vitest"
import { languageCodes, languages } from "../../../src/schema/words/locale/languages.ts"
import { englishPlural, polishPlural, romanianPlural, welshPlural } from "../../../src/schema/words/locale/plural.ts"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { entriesOf, namesIn, sampleOf } from "./catalogue.ts"

const english = entriesOf("en")

/** What is the same word in two languages: marks, and words that one has taken from the other. */
const sameInBoth: ReadonlySet<string> = new Set(["pl frame.testMark", "ro frame.testMark"])

describe.each(languageCodes.filter((code) => code !== "en"))("the words in %s", (code) => {
  const entries = entriesOf(code)

  it("are as many as the English words", () => {
    expect([...entries.keys()]).toEqual([...english.keys()])
  })

  it("are not the English words", () => {
    const same = [...entries].filter(([path, word]) => sampleOf(word) === sampleOf(english.get(path)))
    expect(same.map(([path]) => `${code} ${path}`).filter((path) => !sameInBoth.has(path))).toEqual([])
  })

  it("use the same facts as the English words", () => {
    for (const [path, word] of entries) expect(namesIn(word), path).toEqual(namesIn(english.get(path)))
  })
})

describe("every word", () => {
  it.each(languageCodes)("in %s is a text without spaces around it, dashes that stand for words, or markup", (code) => {
    for (const [path, word] of entriesOf(code)) {
      const text = sampleOf(word)
      expect(text, path).toBe(text.trim())
      expect(text, path).not.toBe("")
      expect(text, path).not.toMatch(/<|>|&[a-z]+;| {2}|undefined|\[object/)
    }
  })

  it("in English calls it a purchase, as other languages do; X6 words the heading of a closed one, and testers know journeys", () => {
    const says = [...english].filter(
      ([path, word]) => /journey/i.test(sampleOf(word)) && !path.startsWith("testOutcomes.")
    )
    expect(says.map(([path]) => path)).toEqual(["notices.closed.heading"])
  })

  it("in Romanian has its letters with a comma below", () => {
    for (const [path, word] of entriesOf("ro")) expect(sampleOf(word), path).not.toMatch(/[şţŞŢ]/)
  })
})

const polish = (count: number) => polishPlural(count, { one: "dzień", few: "dni (2)", many: "dni (5)", other: "dnia" })
const romanian = (count: number) => romanianPlural(count, { one: "zi", few: "zile", other: "de zile" })
const welsh = (count: number) =>
  welshPlural(count, { zero: "0", one: "1", two: "2", few: "3", many: "6", other: "other" })

describe("a number", () => {
  it("takes the form that its language has for it", () => {
    expect([1, 2].map((count) => englishPlural(count, { one: "day", other: "days" }))).toEqual(["day", "days"])
    expect([1, 2, 5, 12, 22, 1.5].map(polish)).toEqual(["dzień", "dni (2)", "dni (5)", "dni (5)", "dni (2)", "dnia"])
    expect([1, 2, 19, 20, 101].map(romanian)).toEqual(["zi", "zile", "zile", "de zile", "zile"])
    expect([0, 1, 2, 3, 6, 10].map(welsh)).toEqual(["0", "1", "2", "3", "6", "other"])
  })

  it("has a form for every category of its language", () => {
    const categories = Object.fromEntries(
      languageCodes.map((code) => [
        code,
        new Intl.PluralRules(languages[code].locale).resolvedOptions().pluralCategories.toSorted()
      ])
    )
    expect(categories).toEqual({
      en: ["one", "other"],
      cy: ["few", "many", "one", "other", "two", "zero"],
      pl: ["few", "many", "one", "other"],
      ro: ["few", "one", "other"]
    })
  })
})

describe("dates, times and numbers", () => {
  /** A summer afternoon: London is an hour ahead of UTC. */
  const millis = Date.UTC(2026, 6, 4, 13, 5)

  it("are written by the language, at the time of the United Kingdom", () => {
    expect(languageCodes.map((code) => wordsOf(code).formats.date(millis))).toEqual([
      "4 July 2026",
      "4 Gorffennaf 2026",
      "4 lipca 2026",
      "4 iulie 2026"
    ])
    for (const code of languageCodes) {
      expect(wordsOf(code).formats.time(millis)).toBe("14:05")
    }
    expect(languageCodes.map((code) => wordsOf(code).formats.moment(millis))).toEqual([
      "Saturday, 4 July 2026 at 14:05",
      "Dydd Sadwrn, 4 Gorffennaf 2026 am 14:05",
      "sobota, 4 lipca 2026 14:05",
      "sâmbătă, 4 iulie 2026 la 14:05"
    ])
    expect(languageCodes.map((code) => wordsOf(code).formats.number(12_345.5))).toEqual([
      "12,345.5",
      "12,345.5",
      "12\u00a0345,5",
      "12.345,5"
    ])
    expect(wordsOf("pl").formats.megabytes(1.5)).toMatch(/^1,5\sMB$/)
  })
})
