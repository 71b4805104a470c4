/**
 * Which language a page is in: what the customer chose in this browser, else what the customer chose anywhere, else what the
 * browser asks for, else what another browser of the customer asked for, else the company's language, else English.
 */
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import type { KnownLanguages } from "../../../actors/customer/CustomerLanguage.ts"
import { STEPS } from "../../../schema/journey/steps.ts"
import { isLanguage, languageCodes, usualLanguage, type Language } from "../../../schema/words/locale/languages.ts"
import { wordsOf } from "../../../schema/words/words.ts"
import { preferredLanguage } from "../../server/pages/acceptLanguage.ts"
import type { RequestHead } from "../../server/answers/answering.ts"
import { languageCookieIn } from "./languageCookie.ts"
import { languageChoicePath, newLinkPath, signOutPath, type Frame } from "./page.ts"
import { testOutcomesPath, usedSamplesPaths } from "./testAids.ts"

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

/** Where a form that is sent to a path without a page of its own came from. */
const pagesOfForms: Readonly<Record<string, string>> = {
  [usedSamplesPaths.VERIFY_IDENTITY]: STEPS.VERIFY_IDENTITY.app.path,
  [usedSamplesPaths.RECORD_VIDEO]: STEPS.RECORD_VIDEO.app.path,
  [testOutcomesPath]: journeyPagePath,
  [languageChoicePath]: journeyPagePath,
  [newLinkPath]: journeyPagePath,
  [signOutPath]: journeyPagePath
}

/** The page that the browser asked for, or sent a form of, without what could be anything else than one of our pages. */
const pageOf = ({ url }: RequestHead): string => {
  const path = url.replace(/[?#].*$/s, "")
  return pagesOfForms[path] ?? path
}

/** What every page needs whoever reads it. `known`: what is on file, when the page may show that it knows the customer. */
export const visitorFrame = (request: RequestHead, known: KnownLanguages | null = null): Frame => ({
  words: wordsOf(languageOf(request, known)),
  back: pageOf(request)
})
