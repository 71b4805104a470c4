/**
 * The frame of the pages beside the reference: guides, error codes, search. They are for whoever writes a program against the
 * service, in English, open to everyone, without scripts and without anything from elsewhere. What a page says is not known here.
 */
import { HttpServerResponse } from "effect/http"
import { iconPath } from "../app/assets.ts"
import { pageHeaders } from "../app/page.ts"
import { html, type Html } from "../server/html.ts"
import { guideStylePaths } from "./assets.ts"

export const guidesPath = "/docs/guides"
export const errorsPath = "/docs/errors"

interface GuidePage {
  readonly heading: string
  readonly content: Html
  /** The place in the sections of the head. */
  readonly section?: string
  readonly status?: number
}

const sections = [
  { name: "Guides", path: guidesPath },
  { name: "Errors", path: errorsPath },
  { name: "Reference", path: "/docs" }
]

const page = ({ content, heading, section }: GuidePage): Html =>
  html`<!doctype html>
    <html lang="en-GB" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${heading} · Journeys</title>
        <link rel="icon" type="image/svg+xml" href="${iconPath}" />
        ${guideStylePaths.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
      </head>
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
        </header>
        <main id="main" tabindex="-1">
          <h1>${heading}</h1>
          ${content}
        </main>
      </body>
    </html> `

export const guideResponse = (shown: GuidePage): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page(shown).text, {
    status: shown.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: pageHeaders
  })
