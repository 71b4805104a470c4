/**
 * The sentence that a page shows once, after the form of another page: "The key was revoked.", perhaps with a link to what was
 * changed. It travels in a cookie that the next page takes away. It holds no secret and no personal data.
 */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { cookieText, dropCookie, writeCookie } from "../../server/answers/cookies.ts"
import { consoleLimits } from "./limits.ts"
import { wayBackOf } from "./wayBack.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface Flash {
  readonly sentence: string
  /** A page of the console, by the words of its link. */
  readonly link?: { readonly path: string; readonly words: string }
}

/** A line for each part. */
const written = ({ link, sentence }: Flash): string =>
  (link === undefined ? [sentence] : [sentence, link.path, link.words]).join("\n")

export const withFlash = (response: Response, flash: Flash) =>
  writeCookie(
    response,
    "consoleSaid",
    Buffer.from(written(flash).slice(0, consoleLimits.longestFlash)).toString("base64url")
  )

/**
 * The browser may send any cookie: a page shows the sentence as text, no more of it than we would write, and a link to
 * nothing but a page of the console.
 */
export const flashOf = (request: Request) => Effect.map(cookieText(request, "consoleSaid"), flashIn)

const flashIn = (value: string | null): Flash | null => {
  if (value === null || value === "") return null
  const text = Buffer.from(value, "base64url").toString().slice(0, consoleLimits.longestFlash)
  const [sentence = "", to = null, words = ""] = text.split("\n")
  const path = wayBackOf(to)
  return path === null || words === "" ? { sentence } : { sentence, link: { path, words } }
}

export const withoutFlash = (response: Response) => dropCookie(response, "consoleSaid")
