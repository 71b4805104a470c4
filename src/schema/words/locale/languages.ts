/**
 * The languages that customers can read, one row a language. What is said in them stands in the folder of each language;
 * `docs/languages.md` tells how a language is added.
 */
import { Schema } from "effect"

/** A language as pages need it. */
export interface LanguageAbout {
  /** Its own name for itself. */
  readonly name: string
  readonly direction: "ltr" | "rtl"
  /** The tag (BCP 47) of the page's `lang`, and of how dates and numbers are written. */
  readonly locale: string
}

const rows = {
  en: { name: "English", direction: "ltr", locale: "en-GB" },
  cy: { name: "Cymraeg", direction: "ltr", locale: "cy-GB" },
  pl: { name: "Polski", direction: "ltr", locale: "pl-PL" },
  ro: { name: "Română", direction: "ltr", locale: "ro-RO" }
} as const satisfies Readonly<Record<string, LanguageAbout>>

// Object.keys loses the key type; the rows are exactly these keys.
const codes = Object.keys(rows) as [keyof typeof rows, ...Array<keyof typeof rows>]

/** A language by its code (ISO 639-1), as it is stored and as `Accept-Language` names it. */
export const Language = Schema.Literals(codes)
export type Language = typeof Language.Type

export const languages: Readonly<Record<Language, LanguageAbout>> = rows
export const languageCodes: ReadonlyArray<Language> = Language.literals
export const isLanguage = Schema.is(Language)

/** When nobody has said anything else. */
export const usualLanguage: Language = "en"
