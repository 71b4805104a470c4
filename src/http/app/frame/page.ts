/**
 * The frame of every page of the customer's app: language, one main heading, a link that skips the head for people who use
 * a keyboard, and the security headers. No other site can frame a page, no browser keeps it or guesses its type, and a page
 * loads nothing from elsewhere. What a page says is not known here.
 */
import { HttpServerResponse } from "effect/http"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { languageCodes, languages, type Language } from "../../../schema/words/locale/languages.ts"
import type { Words } from "../../../schema/words/words.ts"
import { answeredScriptPath, iconPath, sessionScriptPath, stylePath } from "./assets.ts"
import { brandStyle, companyContact, companyHeader, type CompanyFace } from "./companyFace.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { customerSessionNote } from "./sessionNote.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** What surrounds the content of a page, the same for every page of a visitor or a customer. */
export interface Frame {
  /** Everything the page says, in the reader's language. */
  readonly words: Words
  /** The path of the page that a choice of language leads back to: a page that a browser can simply open. */
  readonly back: string
  /** The company in whose name the page speaks. Null: the page does not know whose journey it is. */
  readonly company?: CompanyFace | null
  /** The page belongs to a test journey and is marked. */
  readonly isTest?: boolean
  /** What a page of a test journey offers beside the step itself. */
  readonly aids?: Shown
  /** The customer is signed in: the page offers to sign out, and says in time when the session ends. */
  readonly formToken?: string
  /** The id of a form to type in. A choice of language is sent with its fields to `back`, which shows them again. */
  readonly typedForm?: string
}

export interface PageContent extends Frame {
  /** The main heading of the page. It is also the page's title. */
  readonly heading: string
  /** The heading with markup in it, where it has any. */
  readonly headingMarkup?: Html
  readonly content: Shown
  /** The title begins with "Problem" for people who hear it read out. */
  readonly isProblem?: boolean
  /** The content says whom to ask; the foot of the page does not say it again. */
  readonly saysWhomToAsk?: true
  /** The path of the page's own script. */
  readonly script?: string
  readonly status?: number
  /** Headers in addition to those of every page. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Scripts of others never run (CSRF, XSS). No page needs more: the face detector of the camera's page is plain arithmetic, without
 * WebAssembly, workers or code made from text. `media-src` is for the customer's own recording, whose address only the page knows. */
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

const document = (page: PageContent): Html => {
  const { about, frame } = page.words
  return html`<!doctype html>
    <html lang="${about.locale}" dir="${about.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <title>
          ${page.isProblem === true ? frame.problemTitle({ heading: page.heading }) : page.heading}${
            page.company == null ? null : ` · ${page.company.name}`
          }
        </title>
        <link rel="icon" type="image/svg+xml" href="${iconPath}" />
        <link rel="stylesheet" href="${stylePath}" />
        ${page.company == null ? null : brandStyle(page.company)}
        <script type="module" src="${answeredScriptPath}"></script>
        ${page.formToken !== undefined && html`<script type="module" src="${sessionScriptPath}"></script>`}
        ${page.script === undefined ? null : html`<script type="module" src="${page.script}"></script>`}
      </head>
      <body data-back="${page.isProblem === true ? "" : page.back}">
        <a class="skip" href="#main">${frame.skip}</a>
        ${
          page.isTest === true &&
          html`<aside class="test" aria-label="${frame.testMark}">
            <strong>${frame.testMark}</strong> ${frame.testNote}
          </aside>`
        }
        ${page.company == null ? null : companyHeader(page.company)} ${languageForm(page)}
        <main id="main" tabindex="-1">
          <h1>${page.headingMarkup ?? page.heading}</h1>
          ${page.content}${page.aids ?? null}
        </main>
        <footer>
          ${page.saysWhomToAsk ? null : whomToAsk(page)}
          ${
            page.formToken !== undefined &&
            page.back !== journeyPagePath &&
            html`<p><a class="alone" href="${journeyPagePath}">${frame.backToJourney}</a></p>`
          }
          ${
            page.formToken === undefined
              ? null
              : html`<form method="post" action="${signOutPath}">
                  ${tokenField(page.formToken)}<button class="quiet">${frame.signOut}</button>
                </form>`
          }
          <p>${frame.encrypted}</p>
        </footer>
        ${page.formToken !== undefined && customerSessionNote(frame, page.formToken)}
      </body>
    </html> `
}

/** A page that knows no company names none. */
const whomToAsk = ({ company, words }: Frame): Html =>
  company == null ? html`<p class="contact">${words.company.replyToAny}</p>` : companyContact(company, words)

/** Every language is offered under its own name, so that somebody finds it who reads no other. */
const languageForm = ({ back, formToken, typedForm, words }: Frame): Html =>
  html`<form method="post" action="${languageChoicePath}" class="languages" aria-label="${words.frame.language}">
    ${formToken !== undefined && tokenField(formToken)}<input
      type="hidden"
      name="back"
      value="${back}"
    />${languageCodes.map((language) =>
      languageButton(
        language,
        language === words.code,
        typedForm !== undefined && html` form="${typedForm}" formaction="${back}" formnovalidate`
      )
    )}
  </form>`

const languageButton = (language: Language, isCurrent: boolean, sentWith: Shown): Html => {
  const { locale, name } = languages[language]
  return isCurrent
    ? html`<span lang="${locale}" translate="no" aria-current="true">${name}</span>`
    : html`<button name="language" value="${language}" lang="${locale}" translate="no" ${sentWith}>${name}</button>`
}

export const languageChoicePath = "/app/language"
export const signOutPath = "/app/sign-out"
/** Where a customer whose session has run out has a link mailed. */
export const newLinkPath = "/app/new-link"

export const pageResponse = (page: PageContent): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(page).text, {
    status: page.status ?? pageStatus.shown,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...page.headers,
      ...pageHeaders,
      "content-language": page.words.about.locale,
      // The session may know the language as well.
      vary: "Accept-Language, Cookie"
    }
  })

/** Sends the browser to a page of the app. After a form, a reload of that page sends nothing again. */
export const toPageAt = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: pageStatus.seeOther, headers: { ...pageHeaders, location } })

export const toJourneyPage = (): HttpServerResponse.HttpServerResponse => toPageAt(journeyPagePath)
