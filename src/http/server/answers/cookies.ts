/**
 * The cookies that hold a secret, sessions of customers and of the console and the nonces of the pages of mailed links, and the
 * cookie of the sentence that a page of the console shows once. Over https their names begin with `__Host-`: no other host and
 * no plain connection can set such a cookie. No script can read any of them. How long a session lives is decided by the store
 * of sessions.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { isSecret } from "../../../actors/kernel/secrets.ts"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const cookieNames = {
  session: "journeys",
  nonce: "journeys-link",
  console: "journeys-console",
  consoleNonce: "journeys-console-link",
  consoleSaid: "journeys-console-said"
} as const
type Cookie = keyof typeof cookieNames

export const isSecureAddress = ({ baseUrl }: ServiceAddress["Service"]): boolean =>
  baseUrl?.startsWith("https://") === true

export const isSecure = Effect.map(ServiceAddress, isSecureAddress)

/** The name that binds a cookie to this host. */
export const ofHost = (name: string): string => `__Host-${name}`

const nameOf = (cookie: Cookie, secure: boolean) => (secure ? ofHost(cookieNames[cookie]) : cookieNames[cookie])

/** What the browser sends as the cookie, which may be anything. Null: there is no cookie. */
export const cookieText = (request: Request, cookie: Cookie) =>
  Effect.map(isSecure, (secure) => request.cookies[nameOf(cookie, secure)] ?? null)

/** The secret in the cookie. Null: there is no cookie, or its text cannot be a secret. */
export const readCookie = (request: Request, cookie: Cookie) =>
  Effect.map(cookieText(request, cookie), (text) => (text !== null && isSecret(text) ? text : null))

export const cookieOptions = (secure: boolean) => ({ httpOnly: true, secure, sameSite: "lax", path: "/" }) as const

/** The browser keeps the cookie until it closes. */
export const writeCookie = (response: Response, cookie: Cookie, text: string) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, nameOf(cookie, secure), text, cookieOptions(secure))
  )

/** What our pages have kept in the browser goes when somebody signs out: a photo that was on its way. */
export const withoutStored = (response: Response): Response =>
  HttpServerResponse.setHeader(response, "clear-site-data", '"storage"')

export const dropCookie = (response: Response, cookie: Cookie) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, nameOf(cookie, secure), "", { ...cookieOptions(secure), maxAge: 0 })
  )
