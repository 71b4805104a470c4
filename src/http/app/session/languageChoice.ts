/**
 * The choice of a language at /app/language: a form on every page, which works without script. The choice is kept in a cookie
 * of this browser. The choice of a signed-in customer is also kept with the customer, and mails follow it. A page with a form to
 * type in takes the choice itself, together with what was typed, and shows that again (`inChosenLanguage`).
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { CustomerLanguage } from "../../../actors/customer/CustomerLanguage.ts"
import { Sessions } from "../../../actors/customer/Sessions.ts"
import { isLanguage, type Language } from "../../../schema/words/locale/languages.ts"
import { wordsOf } from "../../../schema/words/words.ts"
import { appRoute } from "../frame/appRoute.ts"
import type { CustomerSession } from "./CustomerSession.ts"
import { readCookie } from "../../server/answers/cookies.ts"
import { writeLanguageCookie } from "../frame/languageCookie.ts"
import { hasToken, refuseForeign } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { visitorFrame } from "../frame/language.ts"
import { appLimits } from "../frame/limits.ts"
import { forgedPage } from "../frame/noticePages.ts"
import { languageChoicePath, toPageAt } from "../frame/page.ts"

/** The page to go back to: one of this app's, or else the journey's page. Nothing leads to another site, or out of the app by dots. */
const backTo = (given: string | null): string =>
  given !== null && given.length <= appLimits.longestBackPath && /^\/app(?:\/[\w-]+)+$/.test(given)
    ? given
    : journeyPagePath

/** The language that a form chooses, if it does. */
export const chosenIn = (form: URLSearchParams): Language | null => {
  const language = form.get("language")
  return isLanguage(language) ? language : null
}

/** A page for a signed-in customer in the language that was just chosen on it. */
export const inChosenLanguage = Effect.fnUntraced(function* (
  customer: CustomerSession,
  language: Language,
  page: (customer: CustomerSession) => HttpServerResponse.HttpServerResponse
) {
  const file = yield* CustomerLanguage
  yield* file.remember(customer.journey.id, language, true)
  return yield* writeLanguageCookie(
    page({ ...customer, visitor: { ...customer.visitor, words: wordsOf(language) } }),
    language
  )
})

const chooseLanguage = Effect.fnUntraced(
  function* (request: HttpServerRequest.HttpServerRequest) {
    yield* refuseForeign(request)
    const form = yield* readForm(request)
    const response = toPageAt(backTo(form.get("back")))
    const language = chosenIn(form)
    if (language === null) return response
    const secret = yield* readCookie(request, "session")
    if (secret !== null && hasToken(secret, form.get("token"))) {
      const session = yield* Effect.flatMap(Sessions, (sessions) => sessions.find(secret))
      const file = yield* CustomerLanguage
      if (session !== null) yield* file.remember(session.journeyId, language, true)
    }
    return yield* writeLanguageCookie(response, language)
  },
  (answer, request) =>
    Effect.catchTag(answer, "Forged", () => Effect.succeed(forgedPage(visitorFrame(request), journeyPagePath)))
)

export const languageChoiceRoutes = [appRoute("POST", languageChoicePath, chooseLanguage)] as const
