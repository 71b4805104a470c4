/**
 * The page at /docs: Effect's bundled Scalar with the document in it. The Content-Security-Policy of the page names its two
 * scripts by their hashes and names no host, so the page loads nothing from other hosts and sends nothing to them.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { contract } from "../api/contract.ts"

/** Everything that would call the hosts of Scalar's makers is off. Test requests go to this service. */
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

/** Effect does not export Scalar's bundle, so Effect's own route renders the page once, and the page is kept. */
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
    // Scalar writes its styles into the page while it runs, so their hashes are not known here.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** Like a browser, this takes the first closing tag for the end of a script. */
const scriptsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].flatMap(([, script]) => (script === undefined ? [] : [script]))

const hashSource = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
