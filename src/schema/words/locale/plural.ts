/**
 * The form of a word that goes with a number, by the plural rules of each language (CLDR): English has two forms, Romanian
 * three, Polish three and one for fractions, Welsh six. A sentence that lacks a form is a compile error.
 */
import { languages, type Language } from "./languages.ts"

type Forms<Form extends string> = Readonly<Record<Form, string>>

const pluralIn = <Form extends Intl.LDMLPluralRule>(language: Language) => {
  const rules = new Intl.PluralRules(languages[language].locale)
  // The rules of a language select its own forms only; a test holds that each language has all of them.
  return (count: number, forms: Forms<Form>): string => forms[rules.select(count) as Form]
}

export const englishPlural = pluralIn<"one" | "other">("en")
export const welshPlural = pluralIn<"zero" | "one" | "two" | "few" | "many" | "other">("cy")
export const polishPlural = pluralIn<"one" | "few" | "many" | "other">("pl")
export const romanianPlural = pluralIn<"one" | "few" | "other">("ro")
