/**
 * The frame every page of the customer's app stands in: language, one main heading, a way past the head for those who
 * use a keyboard, and the headers that keep a page from being framed, kept, sniffed or made to load anything from
 * elsewhere.
 */
import { HttpServerResponse } from "effect/http"
import { iconPath, stylePath } from "./assets.ts"
import { pageStatus } from "./pageStatus.ts"
import { html, type Html, type Shown } from "./html.ts"

export interface Page {
  /** The page's main heading, and its title. */
  readonly heading: string
  readonly content: Shown
  /** In whose name it speaks; null where nobody has signed in. */
  readonly companyName?: string | null
  /** A test journey's: marked as such. */
  readonly isTest?: boolean
  /** Shown as a problem: before the title, too, for those who hear it read. */
  readonly isProblem?: boolean
  /** The page's own script. */
  readonly script?: string
  readonly status?: number
  /** Beside those of every page. */
  readonly headers?: Readonly<Record<string, string>>
  /** Signed in: offers the way out. */
  readonly formToken?: string
}

/** Trust, CSRF/XSS; `media-src` is for the customer's own recording, which never has an address outside the page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

export const pageHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=()",
  "x-robots-tag": "noindex, nofollow"
} as const

const document = (page: Page): Html =>
  html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <title>
          ${page.isProblem === true && "Problem: "}${page.heading}${page.companyName == null ? null : ` · ${page.companyName}`}
        </title>
        <link rel="icon" type="image/svg+xml" href="${iconPath}" />
        <link rel="stylesheet" href="${stylePath}" />
        ${page.script === undefined ? null : html`<script type="module" src="${page.script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${page.isTest === true && html`<p class="test"><strong>TEST</strong> This is a simulated journey. Nothing here is real.</p>`}
        ${page.companyName != null && html`<header><p class="company">${page.companyName}</p></header>`}
        <main id="main" tabindex="-1">
          <h1>${page.heading}</h1>
          ${page.content}
        </main>
        <footer>
          ${
            page.formToken === undefined
              ? null
              : html`<form method="post" action="/app/sign-out">
                  ${hiddenToken(page.formToken)}<button class="quiet">Sign out</button>
                </form>`
          }
          <p>Your details and photos are encrypted.</p>
        </footer>
      </body>
    </html> `

/** The field that proves a form to be ours. */
export const hiddenToken = (formToken: string): Html => html`<input type="hidden" name="token" value="${formToken}" />`

export const pageResponse = (page: Page): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(page).text, {
    status: page.status ?? pageStatus.shown,
    contentType: "text/html; charset=utf-8",
    headers: { ...page.headers, ...pageHeaders }
  })

/** After a form was handled: the browser gets the next page, and reloading it sends nothing again. */
export const seeOther = (path: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: pageStatus.seeOther, headers: { ...pageHeaders, location: path } })
