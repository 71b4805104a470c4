/**
 * The frame of the pages beside the reference: guides, error codes, search. They are for whoever writes a program against the
 * service, in English, open to everyone, without scripts and without anything from elsewhere. What a page says is not known here.
 */
import { HttpServerResponse } from "effect/http"
import { documentHead } from "../app/frame/documentHead.ts"
import { pageHeaders } from "../app/frame/page.ts"
import { html, type Html } from "../server/pages/html.ts"
import { guideStylePaths } from "./assets.ts"
import { guideLimits } from "./limits.ts"

export const guidesPath = "/docs/guides"
export const errorsPath = "/docs/errors"
export const searchPath = "/docs/search"

interface GuidePage {
  readonly heading: string
  readonly content: Html
  /** The place in the sections of the head. */
  readonly section?: string
  readonly status?: number
  /** What was searched for. */
  readonly words?: string
}

const sections = [
  { name: "Guides", path: guidesPath },
  { name: "Errors", path: errorsPath },
  { name: "Reference", path: "/docs" },
  { name: "Console", path: "/console" }
]

const page = ({ content, heading, section, words = "" }: GuidePage): Html =>
  html`<!doctype html>
    <html lang="en-GB" dir="ltr">
      ${documentHead({ title: `${heading} · Journeys`, styles: guideStylePaths })}
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <p class="name"><a href="${guidesPath}">Journeys</a></p>
          <nav aria-label="Documentation">
            <ul>
              ${sections.map(
                ({ name, path }) =>
                  html`<li><a href="${path}" ${path === section && html`aria-current="page"`}>${name}</a></li>`
              )}
            </ul>
          </nav>
          <form role="search" action="${searchPath}" method="get">
            <input
              type="search"
              name="q"
              value="${words}"
              aria-label="Search the documentation"
              maxlength="${guideLimits.longestSearch}"
            />
            <button type="submit" class="secondary">Search</button>
          </form>
        </header>
        <main id="main" tabindex="-1">
          <h1>${heading}</h1>
          ${content}
        </main>
      </body>
    </html> `

/** There is nothing to run; Pico's own signs are pictures in its sheet. */
const guideHeaders = {
  ...pageHeaders,
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

export const guideResponse = (shown: GuidePage): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page(shown).text, {
    status: shown.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: guideHeaders
  })
