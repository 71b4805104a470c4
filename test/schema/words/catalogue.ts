/** The catalogue of words as tests look at it: every word by its path. */
import type { Language } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf } from "../../../src/schema/words/words.ts"

type Sentence = (given: Readonly<Record<string, unknown>>) => string
type Word = string | Sentence

/** Every word of a language by its path, such as `frame.signOut`. */
export const entriesOf = (language: Language): ReadonlyMap<string, Word> => {
  const { about: _about, code: _code, formats: _formats, ...rooms } = wordsOf(language)
  return new Map(entriesIn(rooms, ""))
}

const entriesIn = (value: unknown, path: string): ReadonlyArray<readonly [string, Word]> => {
  if (typeof value === "string") return [[path, value]]
  // A function of the catalogue takes named arguments and answers with a text.
  if (typeof value === "function") return [[path, value as Sentence]]
  if (typeof value !== "object" || value === null) throw new Error(`${path} is neither a text nor a function`)
  return Object.entries(value)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([name, inner]) => entriesIn(inner, path === "" ? name : `${path}.${name}`))
}

/** The text, or what the sentence says about sample facts. A fact is shown as its name, or as a number in sentences that count. */
export const sampleOf = (word: Word | undefined): string => {
  if (word === undefined) return ""
  return typeof word === "string" ? word : word(factsOf(() => {}))
}

/** The names of the facts that a sentence uses. */
export const namesIn = (word: Word | undefined): ReadonlyArray<string> => {
  const used = new Set<string>()
  if (typeof word === "function") word(factsOf((name) => used.add(name)))
  return [...used].toSorted()
}

/** Facts for any sentence: each is a number, which can stand for a text as well. */
const factsOf = (use: (name: string) => void): Readonly<Record<string, unknown>> =>
  new Proxy(
    {},
    {
      get: (_, name) => {
        use(String(name))
        return 7
      }
    }
  )
