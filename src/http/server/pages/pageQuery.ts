/** What the address of a page asks for. What of it is permitted is judged by the operation that the page asks. */
import type { HttpServerRequest } from "effect/http"

interface Asked {
  readonly request: Pick<HttpServerRequest.HttpServerRequest, "url">
}

/** The text of a parameter; empty where the address has none. */
export const pageQuery = ({ request }: Asked): ((name: string) => string) => {
  const { url } = request
  const question = url.indexOf("?")
  const given = new URLSearchParams(question === -1 ? "" : url.slice(question + 1))
  return (name) => given.get(name) ?? ""
}
