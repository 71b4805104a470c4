/**
 * The cookies of the customer's app: the session, the nonce of a link's page, and the chosen language. Over https the
 * names of the first two begin with `__Host-`: no other host and no plain connection can set such a cookie. No script can read
 * any of them. How long a session lives is decided by the store of sessions.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { isSecret } from "../../actors/customer/secrets.ts"
import { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { Language } from "../../schema/words/languages.ts"
import { appLimits } from "./limits.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const cookieNames = { session: "journeys", nonce: "journeys-link" } as const
type Cookie = keyof typeof cookieNames

export const isSecure = Effect.map(ServiceAddress, ({ baseUrl }) => baseUrl?.startsWith("https://") === true)

const nameOf = (cookie: Cookie, secure: boolean) => (secure ? `__Host-${cookieNames[cookie]}` : cookieNames[cookie])

/** The secret in the cookie. Null: there is no cookie, or its text cannot be a secret. */
export const readCookie = (request: Request, cookie: Cookie) =>
  Effect.map(isSecure, (secure) => {
    const value = request.cookies[nameOf(cookie, secure)]
    return value !== undefined && isSecret(value) ? value : null
  })

const options = (secure: boolean) => ({ httpOnly: true, secure, sameSite: "lax", path: "/" }) as const

/** The browser keeps the cookie until it closes. */
export const writeCookie = (response: Response, cookie: Cookie, secret: string) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, nameOf(cookie, secure), secret, options(secure))
  )

export const dropCookie = (response: Response, cookie: Cookie) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, nameOf(cookie, secure), "", { ...options(secure), maxAge: 0 })
  )

/** The name of the cookie with the chosen language, which is no secret. */
export const languageCookie = "journeys-language"

export const writeLanguageCookie = (response: Response, language: Language) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, languageCookie, language, {
      ...options(secure),
      maxAge: appLimits.languageKeptFor
    })
  )
