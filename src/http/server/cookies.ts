/**
 * The cookies that hold a secret: sessions of customers and of the console, and the nonces of the pages of mailed links. Over
 * https their names begin with `__Host-`: no other host and no plain connection can set such a cookie. No script can read
 * any of them. How long a session lives is decided by the store of sessions.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { isSecret } from "../../actors/customer/secrets.ts"
import { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const cookieNames = {
  session: "journeys",
  nonce: "journeys-link",
  console: "journeys-console",
  consoleNonce: "journeys-console-link"
} as const
type Cookie = keyof typeof cookieNames

export const isSecureAddress = ({ baseUrl }: ServiceAddress["Service"]): boolean =>
  baseUrl?.startsWith("https://") === true

export const isSecure = Effect.map(ServiceAddress, isSecureAddress)

const nameOf = (cookie: Cookie, secure: boolean) => (secure ? `__Host-${cookieNames[cookie]}` : cookieNames[cookie])

/** The secret in the cookie. Null: there is no cookie, or its text cannot be a secret. */
export const readCookie = (request: Request, cookie: Cookie) =>
  Effect.map(isSecure, (secure) => {
    const value = request.cookies[nameOf(cookie, secure)]
    return value !== undefined && isSecret(value) ? value : null
  })

export const cookieOptions = (secure: boolean) => ({ httpOnly: true, secure, sameSite: "lax", path: "/" }) as const

/** The browser keeps the cookie until it closes. */
export const writeCookie = (response: Response, cookie: Cookie, secret: string) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, nameOf(cookie, secure), secret, cookieOptions(secure))
  )

export const dropCookie = (response: Response, cookie: Cookie) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, nameOf(cookie, secure), "", { ...cookieOptions(secure), maxAge: 0 })
  )
