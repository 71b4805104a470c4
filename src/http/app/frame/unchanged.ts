/** Pages that a script looks at again and again: a page that has not changed since is not sent again. */
import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"

/** `seen`: the If-None-Match of the request. The page may be kept by nobody, so the tag is for the page's own script alone. */
export const unlessSeen = (
  seen: string | undefined,
  page: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  if (page.body._tag !== "Uint8Array") return page
  const etag = `"${hash("sha256", page.body.body, "base64url")}"`
  return seen === etag
    ? HttpServerResponse.empty({ status: 304, headers: { ...withoutContent(page.headers), etag } })
    : HttpServerResponse.setHeader(page, "etag", etag)
}

const withoutContent = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-length")))
