/** An answer of a console page that the browser saves as a file. */
import { HttpServerResponse } from "effect/http"
import { consoleHeaders } from "./consoleFrame.ts"

/** `name` is made of ids and words of ours: it needs no quoting. */
export const jsonFile = (name: string, content: unknown): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(content, null, 2), {
    contentType: "application/json",
    headers: { ...consoleHeaders, "content-disposition": `attachment; filename="${name}.json"` }
  })
