/**
 * What somebody had typed into a form that was not taken, shown so that it can be copied: the service keeps none of it. Secrets
 * are never shown, nor what a form says by itself.
 */
import { uuid } from "../../../schema/uuid.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { consoleLimits } from "./limits.ts"

/** Fields that nobody types, and secrets: a field for a secret has a name that ends so. */
const isUnshown = (name: string): boolean => /^(?:token|form|next|to|after)$|(?:secret|token)$/i.test(name)

/** `brand.returnUrl` is "Brand return url". */
const nameInWords = (name: string): string => {
  const words = name
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const textHtml = (name: string, value: string): Html =>
  html`<label
    >${nameInWords(name)}
    ${
      value.length > consoleLimits.longestLine || value.includes("\n")
        ? html`<textarea readonly rows="4">${value}</textarea>`
        : html`<input type="text" readonly value="${value}" />`
    }
  </label>`

export const typedTexts = (fields: URLSearchParams): Shown => {
  const texts = [...fields].filter(([name, value]) => !isUnshown(name) && value !== "" && !uuid.test(value))
  return (
    texts.length > 0 &&
    html`<section aria-labelledby="typed">
      <h2 id="typed">What you had typed</h2>
      <p>It is on this page only. Copy what you want to send again.</p>
      ${texts.map(([name, value]) => textHtml(name, value))}
    </section>`
  )
}
