/** The OpenAPI documents and the page GET /docs, open to everyone. A client that has the present version is answered with 304. */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { openApiPaths, type Public } from "../api/contract.ts"
import type { Route } from "../server/answers/answering.ts"
import { packingFor } from "../server/pages/packingFor.ts"
import { Documents, type Document } from "./Documents.ts"

const served = (request: HttpServerRequest.HttpServerRequest, { bodies, contentType, etag, headers }: Document) => {
  const packing = packingFor(request, ["br", "gzip"]) ?? "identity"
  const tag = packing === "identity" ? `"${etag}"` : `"${etag}-${packing}"`
  const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""))
  if (known.includes(tag)) return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag: tag } })
  return HttpServerResponse.uint8Array(bodies[packing], {
    contentType,
    headers: { ...headers, etag: tag, ...(packing === "identity" ? {} : { "content-encoding": packing }) }
  })
}

const openApiRoute = (name: Public): Route<Documents> => ({
  method: "GET",
  path: openApiPaths[name],
  handle: (request) =>
    Effect.flatMap(Documents, ({ openApi }) => Effect.map(openApi[name], (document) => served(request, document)))
})

export const documentRoutes: ReadonlyArray<Route<Documents>> = [
  openApiRoute("integrators"),
  openApiRoute("settings"),
  openApiRoute("callbacks"),
  {
    method: "GET",
    path: "/docs",
    handle: (request) =>
      Effect.flatMap(Documents, ({ page }) => Effect.map(page, (document) => served(request, document)))
  }
]
