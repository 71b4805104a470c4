/** An answer of a console page that the browser saves as a file. */
import { HttpServerResponse } from "effect/http"
import { consoleHeaders } from "./consoleFrame.ts"

/** `name` is made of ids, words of ours and days: it needs no quoting. */
export const savedFile = (name: string, contentType: string, text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, {
    contentType,
    headers: { ...consoleHeaders, "content-disposition": `attachment; filename="${name}"` }
  })

export const jsonFile = (name: string, content: unknown): HttpServerResponse.HttpServerResponse =>
  savedFile(`${name}.json`, "application/json", JSON.stringify(content, null, 2))
