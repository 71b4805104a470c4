/**
 * The frame of every page of the customer's app: language, one main heading, a link that skips the head for people who use
 * a keyboard, and the security headers. No other site can frame a page, no browser keeps it or guesses its type, and a page
 * loads nothing from elsewhere. What a page says is not known here.
 */
import { HttpServerResponse } from "effect/http"
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { iconPath, stylePath } from "./assets.ts"
import { pageStatus } from "./pageStatus.ts"
import { html, type Html, type Shown } from "./html.ts"

export interface PageContent {
  /** The main heading of the page, and its title. */
  readonly heading: string
  readonly content: Shown
  /** The company in whose name the page speaks. Null: nobody has signed in. */
  readonly companyName?: string | null
  /** The page belongs to a test journey and is marked. */
  readonly isTest?: boolean
  /** The title begins with "Problem" for people who hear it read out. */
  readonly isProblem?: boolean
  /** The path of the page's own script. */
  readonly script?: string
  readonly status?: number
  /** Headers in addition to those of every page. */
  readonly headers?: Readonly<Record<string, string>>
  /** The customer is signed in: the page offers to sign out. */
  readonly formToken?: string
}

/** Scripts of others never run (CSRF, XSS). `media-src` is for the customer's own recording, whose address only the page knows. */
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

const document = (page: PageContent): Html =>
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
              : html`<form method="post" action="${signOutPath}">
                  ${hiddenToken(page.formToken)}<button class="quiet">Sign out</button>
                </form>`
          }
          <p>Your details and photos are encrypted.</p>
        </footer>
      </body>
    </html> `

export const signOutPath = "/app/sign-out"

/** The field that proves that a form is ours. */
export const hiddenToken = (formToken: string): Html => html`<input type="hidden" name="token" value="${formToken}" />`

export const pageResponse = (page: PageContent): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(page).text, {
    status: page.status ?? pageStatus.shown,
    contentType: "text/html; charset=utf-8",
    headers: { ...page.headers, ...pageHeaders }
  })

/** Sends the browser to the journey's page. After a form, a reload of that page sends nothing again. */
export const toJourneyPage = (): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: pageStatus.seeOther, headers: { ...pageHeaders, location: journeyPagePath } })
