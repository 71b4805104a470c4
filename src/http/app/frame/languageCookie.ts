/** The cookie that remembers the language that a customer has chosen. The cookie is no secret. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Language } from "../../../schema/words/locale/languages.ts"
import { cookieOptions, isSecure, ofHost } from "../../server/answers/cookies.ts"
import { appLimits } from "./limits.ts"

type Response = HttpServerResponse.HttpServerResponse

const name = "journeys-language"
const secureName = ofHost(name)

const chosen = (cookie: string) => new RegExp(`(?:^|;) *${cookie}=([a-z]+) *(?:;|$)`)
/** Browsers may still have the cookie of before under its plain name: what was chosen since goes first. */
const readable = [chosen(secureName), chosen(name)]

/** The text of the cookie, which may be anything. */
export const languageCookieIn = (cookies: string): string | undefined =>
  readable.map((form) => form.exec(cookies)?.[1]).find((text) => text !== undefined)

export const writeLanguageCookie = (response: Response, language: Language) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, secure ? secureName : name, language, {
      ...cookieOptions(secure),
      maxAge: appLimits.languageKeptFor
    })
  )
