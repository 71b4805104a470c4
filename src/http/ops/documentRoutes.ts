/** GET /openapi.json and GET /docs, open to everyone. A client that has the present version is answered with 304. */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import type { Route } from "../server/answering.ts"
import { Documents, type Document } from "./Documents.ts"

const served = (request: HttpServerRequest.HttpServerRequest, { body, contentType, headers }: Document) => {
  const known = (request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  return known.includes(headers["etag"] ?? "")
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(body, { contentType, headers })
}

export const documentRoutes: ReadonlyArray<Route<Documents>> = [
  {
    method: "GET",
    path: "/openapi.json",
    handle: (request) =>
      Effect.flatMap(Documents, ({ openApi }) => Effect.map(openApi, (document) => served(request, document)))
  },
  {
    method: "GET",
    path: "/docs",
    handle: (request) =>
      Effect.flatMap(Documents, ({ page }) => Effect.map(page, (document) => served(request, document)))
  }
]
