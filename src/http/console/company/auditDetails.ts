/**
 * The details of a line of the audit log as a person reads them: names as words, times as the other pages show them, lists and what
 * lies within without the signs of a program. What a line holds is decided by the operations that write it.
 */
import { timestamp } from "../../../schema/moment.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

/** Words that a program writes otherwise than a person does. */
const written: Readonly<Record<string, string>> = {
  id: "code",
  ids: "codes",
  url: "URL",
  api: "API",
  kms: "KMS",
  smtp: "SMTP",
  utc: "UTC"
}

/** `externalReference` as "external reference", `API_KEY` as "API key". */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_.]+/)
    .map((word) => written[word.toLowerCase()] ?? word.toLowerCase())
    .join(" ")

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/
const code = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** No other number of a line is as large as a moment in milliseconds. */
const leastMoment = Date.parse("2020-01-01")

const constant = /^[A-Z]+(?:_[A-Z]+)+$/

const separated = (all: ReadonlyArray<Html>, by: string): Html =>
  html`${all.map((one, at) => html`${at > 0 && by}${one}`)}`

const textShown = (text: string): Html => {
  if (moment.test(text)) return shownTime(text)
  if (code.test(text)) return html`<code>${text}</code>`
  return html`<bdi>${constant.test(text) ? wordsOf(text) : text}</bdi>`
}

const valueShown = (value: unknown): Html => {
  if (value === null || value === "") return html`nothing`
  if (typeof value === "boolean") return html`${value ? "yes" : "no"}`
  if (typeof value === "string") return textShown(value)
  if (Array.isArray(value)) return value.length === 0 ? html`none` : separated(value.map(valueShown), ", ")
  if (typeof value === "object") {
    return separated(
      Object.entries(value).map(([name, inner]) => html`${wordsOf(name)} ${valueShown(inner)}`),
      "; "
    )
  }
  if (typeof value === "number" && value >= leastMoment) return shownTime(timestamp(value))
  return html`${JSON.stringify(value)}`
}

/** The journey that a line is about has a page. */
const detailShown = (name: string, value: unknown): Html =>
  name === "journeyId" && typeof value === "string"
    ? html`<span>journey:</span> <a href="/console/journeys/${value}"><code>${value}</code></a>`
    : html`<span>${wordsOf(name)}:</span> ${valueShown(value)}`

export const auditDetails = (details: Readonly<Record<string, unknown>>): Shown => {
  const all = Object.entries(details)
  return all.length === 0
    ? "–"
    : html`<ul class="details">
        ${all.map(([name, value]) => html`<li>${detailShown(name, value)}</li>`)}
      </ul>`
}
