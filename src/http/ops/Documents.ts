/** The documents as they are served. Each document is made once, when somebody first asks for it, and has an ETag. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { contract } from "../api/contract.ts"
import { renderDocsPage } from "./docsPage.ts"

export interface Document {
  readonly body: Uint8Array
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

export class Documents extends Context.Service<
  Documents,
  {
    readonly openApi: Effect.Effect<Document>
    readonly page: Effect.Effect<Document>
  }
>()("journeys/http/documents/Documents") {}

const documentOf = (text: string, contentType: string, headers: Readonly<Record<string, string>> = {}): Document => {
  const body = new TextEncoder().encode(text)
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`
  // A browser may keep the document, but must ask each time whether it is current: a new release may change it.
  return { body, contentType, headers: { etag, "cache-control": "no-cache", ...headers } }
}

export const layer: Layer.Layer<Documents> = Layer.effect(
  Documents,
  Effect.gen(function* () {
    const openApi = yield* Effect.cached(
      Effect.sync(() => documentOf(JSON.stringify(OpenApi.fromApi(contract)), "application/json"))
    )
    const page = yield* Effect.cached(
      Effect.map(renderDocsPage, ({ contentSecurityPolicy, html }) =>
        documentOf(html, "text/html; charset=utf-8", {
          "content-security-policy": contentSecurityPolicy,
          "referrer-policy": "no-referrer"
        })
      )
    )
    return { openApi, page }
  })
)
