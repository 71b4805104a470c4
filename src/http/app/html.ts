/**
 * HTML as a value: a template whose every text is escaped unless it is HTML already. Whatever a customer or a company
 * wrote can only ever be text on a page. Attributes must be quoted in the template.
 */
import { escapedHtml } from "../../schema/escapedHtml.ts"

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Nothing is shown of `null` and `false`; lists are shown one after the other. */
export type Shown = Html | string | number | null | false | ReadonlyArray<Shown>

const shown = (value: Shown): string => {
  if (value === null || value === false) return ""
  if (value instanceof Html) return value.text
  if (typeof value === "object") return value.map(shown).join("")
  return escapedHtml(String(value))
}

export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Shown>): Html =>
  new Html(parts.reduce((text, part, at) => text + shown(values[at - 1] ?? null) + part))
