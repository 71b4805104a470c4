/**
 * The catalogue: everything that customers read, by language. A page or a mail takes the words of one language and says
 * nothing of its own. Which language a customer reads is decided elsewhere (`http/app/frame/language.ts`).
 */
import { english, type Rooms } from "./en/english.ts"
import { welsh } from "./cy/welsh.ts"
import { polish } from "./pl/polish.ts"
import { romanian } from "./ro/romanian.ts"
import { formatsOf, type Formats } from "./locale/formats.ts"
import { languageCodes, languages, type Language, type LanguageAbout } from "./locale/languages.ts"

/** The words of one language: one room for each page or mail, and what the page itself must know about the language. */
export type Words = Rooms & {
  readonly code: Language
  readonly about: LanguageAbout
  readonly formats: Formats
}

const rooms: Readonly<Record<Language, Rooms>> = { en: english, cy: welsh, pl: polish, ro: romanian }

const catalogue = new Map<Language, Words>(
  languageCodes.map((code) => [
    code,
    { ...rooms[code], code, about: languages[code], formats: formatsOf(languages[code].locale) }
  ])
)

export const wordsOf = (language: Language): Words => {
  const words = catalogue.get(language)
  if (words === undefined) throw new Error(`no words in ${language}`)
  return words
}
