/**
 * The sentence that a page shows once, after the form of another page: "The key was revoked". It travels in a cookie that the next
 * page takes away. It holds no secret and no personal data.
 */
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { consoleLimits } from "./limits.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const cookie = "journeys-console-said"
const options = { httpOnly: true, sameSite: "lax", path: "/console" } as const

export const withFlash = (response: Response, sentence: string): Response =>
  HttpServerResponse.setCookieUnsafe(
    response,
    cookie,
    Buffer.from(sentence.slice(0, consoleLimits.longestFlash)).toString("base64url"),
    options
  )

/** Anybody could have written the cookie: a page shows the sentence as text, and no more of it than we would write. */
export const flashOf = ({ cookies }: Request): string | null => {
  const value = cookies[cookie]
  if (value === undefined || value === "") return null
  return Buffer.from(value, "base64url").toString().slice(0, consoleLimits.longestFlash)
}

export const withoutFlash = (response: Response): Response =>
  HttpServerResponse.setCookieUnsafe(response, cookie, "", { ...options, maxAge: 0 })
