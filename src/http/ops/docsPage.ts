/**
 * The page at /docs: Effect's bundled Scalar with the documents in it. The Content-Security-Policy of the page names its two
 * scripts by their hashes and names no host, so the page loads nothing from other hosts and sends nothing to them.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar, type OpenApi } from "effect/http-api"

/** Everything that would call the hosts of Scalar's makers is off. Test requests go to this service. */
const scalar = {
  _integration: "html",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  mcp: { disabled: true },
  agent: { disabled: true },
  persistAuth: false,
  theme: "default",
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false
} as const

/** One of the documents of the page. `slug` is its part of the page's address. */
export interface DocsSource {
  readonly slug: string
  readonly document: OpenApi.OpenAPISpec
}

export interface DocsPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** The first source is shown first. */
export const renderDocsPage = (sources: ReadonlyArray<DocsSource>): Effect.Effect<DocsPage> =>
  Effect.map(bundle, (script) => {
    const html = pageOf(script, {
      ...scalar,
      sources: sources.map(({ document, slug }, at) => ({
        slug,
        title: document.info.title,
        default: at === 0,
        authentication: { preferredSecurityScheme: Object.keys(document.components.securitySchemes)[0] },
        content: document
      }))
    })
    return { html, contentSecurityPolicy: policyFor(html) }
  })

/** Effect does not export Scalar's bundle, so Effect's own route renders a page of nothing, and the bundle is taken from it. */
const bundle = Effect.gen(function* () {
  const page = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(HttpApi.make("Nothing")))
  const response = yield* page.pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
    ),
    Effect.orDie
  )
  const [script = ""] = scriptsIn(yield* Effect.promise(() => HttpServerResponse.toWeb(response).text()))
  return script
}).pipe(Effect.scoped)

/** JSON inside a script: no text of it can end the script. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

const pageOf = (script: string, configuration: unknown): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Journeys: documentation of the API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <style>
      /* On a narrow telephone Scalar's own parts reach beyond the page's edge: without this the whole page moves sideways. */
      #api-reference-container {
        overflow-x: clip;
      }
    </style>
  </head>
  <body>
    <div id="api-reference-container"></div>
    <script>${script}</script>
    <script>window.Scalar.createApiReference(document.getElementById("api-reference-container"), ${inScript(configuration)})</script>
  </body>
</html>`

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
