/** The cookie with the language that a customer has chosen, which is no secret. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Language } from "../../schema/words/locale/languages.ts"
import { cookieOptions, isSecure } from "../server/cookies.ts"
import { appLimits } from "./limits.ts"

type Response = HttpServerResponse.HttpServerResponse

export const languageCookie = "journeys-language"

export const writeLanguageCookie = (response: Response, language: Language) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, languageCookie, language, {
      ...cookieOptions(secure),
      maxAge: appLimits.languageKeptFor
    })
  )
