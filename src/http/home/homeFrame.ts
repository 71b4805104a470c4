/**
 * The frame of the home page and of the mailbox: pages for the people who run or try the service, in English. They share the
 * style of the customer's app and its rules against other sites. Who may see the demo is decided here, too.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { homeStylePath, stylePath } from "../app/frame/assets.ts"
import { documentHead } from "../app/frame/documentHead.ts"
import { html, type Html } from "../server/pages/html.ts"
import { pageHeaders } from "../app/frame/page.ts"
import { LocalDemo, type DemoInUse } from "./LocalDemo.ts"

type Request = HttpServerRequest.HttpServerRequest

export const homePath = "/"
export const mailboxPath = "/mailbox"

interface HomePage {
  readonly heading: string
  readonly content: Html
  /** The path of the page's own script. */
  readonly script?: string
  readonly status?: number
  /** Beside those of every page. */
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the policy of every page: the mailbox shows mails as their readers see them. */
  readonly alsoAllowed?: string
}

const document = ({ content, heading, script }: HomePage): Html =>
  html`<!doctype html>
    <html lang="en-GB" dir="ltr">
      ${documentHead({
        title: heading === "Journeys" ? heading : `${heading} · Journeys`,
        styles: [stylePath, homeStylePath],
        more: script !== undefined && html`<script type="module" src="${script}"></script>`
      })}
      <body class="home">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="company"><a href="${homePath}">Journeys</a></p>
        </header>
        <main id="main" tabindex="-1">
          <h1>${heading}</h1>
          ${content}
        </main>
      </body>
    </html> `

export const homeResponse = (page: HomePage): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(page).text, {
    status: page.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...page.headers,
      ...pageHeaders,
      ...(page.alsoAllowed === undefined
        ? {}
        : {
            "content-security-policy": `${pageHeaders["content-security-policy"].replace("style-src 'self'; ", "")}; ${page.alsoAllowed}`
          })
    }
  })

/** The names by which somebody reaches a service on their own machine; in a URL an IPv6 address stands in brackets. */
const ownMachine = new Set(["localhost", "127.0.0.1", "::1", "[::1]"])

export const isOwnMachine = (host: string): boolean => ownMachine.has(host)

/** Headers that proxies and tunnels add, and browsers never send. */
const ofProxies = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

/**
 * The demo, for a browser on this machine. A page of another site could make its own name lead to this machine; the browser
 * still sends that name, so only the machine's own names count. A proxy or a tunnel may send the machine's name for everybody.
 */
export const demoFor = (request: Request): Effect.Effect<DemoInUse | null, never, LocalDemo> => {
  const name = (request.headers["host"] ?? "").replace(/:\d+$/, "")
  const isDirect = ofProxies.every((header) => request.headers[header] === undefined)
  return isDirect && isOwnMachine(name) ? Effect.flatMap(LocalDemo, ({ inUse }) => inUse) : Effect.succeed(null)
}
