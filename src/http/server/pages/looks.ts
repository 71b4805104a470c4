/** Requests that a page makes by itself, to see whether anything has changed: a look is no use of the session, in the app and in the console. */
import type { HttpServerRequest } from "effect/http"

const header = "x-look"

/** The headers of a look, as htmx takes them. */
export const looks = JSON.stringify({ [header]: "1" })

export const isLook = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  headers[header] !== undefined
