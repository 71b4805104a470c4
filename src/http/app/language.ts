/**
 * Which language a page is in: what the customer chose in this browser, else what the customer chose anywhere, else what the
 * browser asks for, else what another browser of the customer asked for, else the company's language, else English.
 */
import type { KnownLanguages } from "../../actors/customer/CustomerLanguage.ts"
import { isLanguage, languageCodes, usualLanguage, type Language } from "../../schema/words/locale/languages.ts"
import { wordsOf } from "../../schema/words/words.ts"
import { preferredLanguage } from "../server/acceptLanguage.ts"
import type { RequestHead } from "../server/answering.ts"
import { languageCookieIn } from "./languageCookie.ts"
import type { Frame } from "./page.ts"

/** What the customer chose in this browser. The cookie is no secret, and any other text in it is ignored. */
export const chosenHere = ({ headers }: RequestHead): Language | null => {
  const value = languageCookieIn(headers["cookie"] ?? "")
  return isLanguage(value) ? value : null
}

/** What the browser asks for. */
export const askedByBrowser = ({ headers }: RequestHead): Language | null =>
  preferredLanguage(headers["accept-language"], languageCodes)

export const languageOf = (request: RequestHead, known: KnownLanguages | null = null): Language =>
  chosenHere(request) ??
  (known?.isChosen === true ? known.customer : null) ??
  askedByBrowser(request) ??
  known?.customer ??
  known?.company ??
  usualLanguage

/** The path that the browser asked for, without what could be anything else than one of our pages. */
const pathOf = ({ url }: RequestHead): string => url.replace(/[?#].*$/s, "")

/** What every page needs whoever reads it. `known`: what is on file, when the page may show that it knows the customer. */
export const visitorFrame = (request: RequestHead, known: KnownLanguages | null = null): Frame => ({
  words: wordsOf(languageOf(request, known)),
  back: pathOf(request)
})
