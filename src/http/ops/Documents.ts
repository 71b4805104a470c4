/** The documents as they are served. Each document is made once, when somebody first asks for it, and has an ETag. */
import { createHash } from "node:crypto"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { Context, Effect, Layer } from "effect"
import { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import { openApiFor, openApiPaths, type Public } from "../api/contract.ts"
import { renderDocsPage } from "./docsPage.ts"

/** What a document can be packed with. A browser says what it can unpack. */
type Packing = "br" | "gzip" | "identity"

export interface Document {
  readonly bodies: Readonly<Record<Packing, Uint8Array>>
  readonly contentType: string
  /** Of the body as it is; a packed body is another representation and has a tag of its own. */
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

export class Documents extends Context.Service<
  Documents,
  {
    readonly openApi: Readonly<Record<Public, Effect.Effect<Document>>>
    readonly page: Effect.Effect<Document>
  }
>()("journeys/http/documents/Documents") {}

/** Of 0 to 11. Higher ones take seconds for the page of 3.5 MB, and save another twentieth. */
const packingQuality = 5

const documentOf = (text: string, contentType: string, headers: Readonly<Record<string, string>> = {}): Document => {
  const body = new TextEncoder().encode(text)
  const br = brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: packingQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  })
  return {
    bodies: { br, gzip: gzipSync(body), identity: body },
    contentType,
    etag: createHash("sha256").update(body).digest("base64url"),
    // A browser may keep the document, but must ask each time whether it is current: a new release may change it.
    headers: { "cache-control": "public, no-cache", vary: "accept-encoding", ...headers }
  }
}

export const layer: Layer.Layer<Documents, never, ServiceAddress> = Layer.effect(
  Documents,
  Effect.gen(function* () {
    const { baseUrl } = yield* ServiceAddress
    const once = (name: Public) =>
      Effect.cached(Effect.sync(() => documentOf(JSON.stringify(openApiFor(name, baseUrl)), "application/json")))
    const openApi = yield* Effect.all({
      integrators: once("integrators"),
      settings: once("settings"),
      callbacks: once("callbacks")
    })
    const publics = Object.keys(openApiPaths) as ReadonlyArray<Public>
    const page = yield* Effect.cached(
      Effect.map(
        Effect.suspend(() => renderDocsPage(publics.map((slug) => ({ slug, document: openApiFor(slug, baseUrl) })))),
        ({ contentSecurityPolicy, html }) =>
          documentOf(html, "text/html; charset=utf-8", {
            "content-security-policy": contentSecurityPolicy,
            "referrer-policy": "no-referrer"
          })
      )
    )
    return { openApi, page }
  })
)
