/**
 * HTML as a value: a template that escapes every text and leaves HTML values alone. What a customer or a company wrote can
 * only appear as text on a page. The template must quote its attributes.
 */
import { escapedHtml } from "../../../schema/escapedHtml.ts"

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** `null` and `false` show nothing; the entries of a list follow each other. */
export type Shown = Html | string | number | null | false | ReadonlyArray<Shown>

const shown = (value: Shown): string => {
  if (value === null || value === false) return ""
  if (value instanceof Html) return value.text
  if (typeof value === "object") return value.map(shown).join("")
  return escapedHtml(String(value))
}

export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Shown>): Html =>
  new Html(parts.reduce((text, part, at) => text + shown(values[at - 1] ?? null) + part))
