/**
 * The page at /docs: Effect's bundled Scalar with the document in it, and a Content-Security-Policy that names its two
 * scripts by their hashes and no host at all, so that nothing is loaded from or sent to anywhere else.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { contract } from "../api/contract.ts"

/** What of Scalar would call its makers' hosts is off. Test requests go to this service, which serves the page. */
const scalar = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  mcp: { disabled: true },
  agent: { disabled: true },
  persistAuth: false,
  theme: "default",
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  authentication: { preferredSecurityScheme: "apiKey" }
} as const

export interface DocsPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** Scalar's bundle is not exported by itself: the page is rendered once by Effect's own route, and kept. */
export const renderDocsPage: Effect.Effect<DocsPage> = Effect.gen(function* () {
  const page = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(contract, { path: "/docs", scalar }))
  const response = yield* page.pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
    ),
    Effect.orDie
  )
  const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  return { html, contentSecurityPolicy: policyFor(html) }
}).pipe(Effect.scoped)

const policyFor = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${scriptsIn(html).map(hashSource).join(" ")}`,
    // Scalar writes its styles into the page as it goes, so they have no hashes that could be named.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** A browser, too, takes the first closing tag for the script's end. */
const scriptsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].flatMap(([, script]) => (script === undefined ? [] : [script]))

const hashSource = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
