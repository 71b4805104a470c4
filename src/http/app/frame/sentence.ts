/**
 * Sentences of the catalogue with markup in them. The catalogue knows no markup: a sentence says where its arguments stand,
 * and a page says what they look like.
 */
import { escapedHtml } from "../../../schema/escapedHtml.ts"
import { Html, html } from "../../server/pages/html.ts"

/** A person's or a company's name: it is not translated, and its direction does not disturb the sentence around it. */
export const nameMark = (name: string): Html => html`<bdi translate="no">${name}</bdi>`

/** A registration, shown as a plate: not translated, and not read as a word. */
export const plateMark = (registration: string): Html => html`<bdi class="plate" translate="no">${registration}</bdi>`

/** Characters for private use (Unicode), which no sentence has. */
const [opening, closing] = ["\uE000", "\uE001"]
const places = new RegExp(`${opening}(\\d+)${closing}`)

/** A sentence whose arguments are markup. */
export const inSentence = <Name extends string>(
  sentence: (given: Readonly<Record<Name, string>>) => string,
  given: Readonly<Record<Name, Html>>
): Html => {
  const entries: ReadonlyArray<readonly [string, Html]> = Object.entries(given)
  // The entries are exactly the names that the sentence has: entries lose their type.
  const marked = Object.fromEntries(entries.map(([name], at) => [name, `${opening}${at}${closing}`])) as Record<
    Name,
    string
  >
  const parts = sentence(marked).split(places)
  return new Html(
    parts.map((part, at) => (at % 2 === 0 ? escapedHtml(part) : (entries[Number(part)]?.[1].text ?? ""))).join("")
  )
}

/** A text, or a sentence with facts that only the script knows: all of them are texts to it. */
type ScriptWord = string | ((given: never) => string)

/** The words of a page's script, as data in the page: where the script has to fill in a fact, they have its name in braces. */
export const scriptWords = (words: Readonly<Record<string, ScriptWord>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(words).map(([name, word]) => [name, scriptWord(word)])))

// Whatever facts the sentence takes, each is its own name in braces.
const scriptWord = (word: ScriptWord): string =>
  typeof word === "string" ? word : (word as (given: unknown) => string)(names)

const names = new Proxy({}, { get: (_, name) => `{${String(name)}}` })
